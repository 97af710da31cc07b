import type { MessagePort } from 'node:worker_threads';
import { fromWireError, toWireError } from '../base/wire-error.js';
import { analyse as runSteps } from '../run/analyse.js';
import { createAnalysisTools } from '../run/analysis-tools.js';
import { createConnector } from '../run/connector.js';
import { observeWithBoth, unobserved } from '../run/observer.js';
import { Readiness } from '../run/readiness.js';
import { startTracing } from '../traces/tracing.js';
import { createForwardingLogger, createForwardingObserver } from './forward.js';
import { joinOthers } from './join-others.js';
import { type News, type Order, orderSchema } from './messages.js';
import { RemoteTurn } from './remote-turn.js';
import type { ThreadData } from './thread-data.js';

/** The analysis thread: does what the main thread orders, until that closes it. */
export async function serveOrders(port: MessagePort, data: ThreadData): Promise<void> {
  const { config, secrets, version, verbose, isMeasured, pauses } = data;
  const post = (news: News): void => port.postMessage(news);
  const log = createForwardingLogger(verbose, (line) => post({ kind: 'log', line }));
  const tracing = await startTracing(data.env, log);
  const events = isMeasured
    ? createForwardingObserver((observed) => post({ kind: 'observed', events: observed }))
    : unobserved;
  const observer = observeWithBoth(events, tracing.observer);
  const others = await joinOthers({ config, secrets, version, log, observer });
  const { web_id, server_url } = config.analyser;
  const tools = createAnalysisTools(config, observer, others.podReader);
  const { openValues } = others.podReader;
  const readiness = new Readiness(createConnector(config, secrets, { observer, openValues }), {
    log,
    own: { webIds: [web_id], serverUrl: server_url },
    onChange: (state) => post({ kind: 'readiness', ...state }),
    pauses,
  });
  let running: RemoteTurn | null = null;

  async function analyse(turn: RemoteTurn): Promise<void> {
    running = turn;
    try {
      const work = () =>
        readiness.use(turn.signal, async (connection) => {
          const { errors, notices } = await runSteps(tools, connection, turn);
          for (const notice of notices) log.warn(notice);
          return errors;
        });
      await observer.within(turn.calls[0]?.traceparent, work);
      post({ kind: 'ended', turn: turn.id, error: null });
    } catch (error) {
      post({ kind: 'ended', turn: turn.id, error: toWireError(error) });
    }
    running = null;
  }

  async function close(): Promise<void> {
    await readiness.close();
    await Promise.all([others.leave(), tracing.stop()]);
    port.close();
  }

  function obey(order: Order): void {
    switch (order.kind) {
      case 'analyse':
        void analyse(new RemoteTurn(order.turn, order.calls, post));
        break;
      case 'stop':
      case 'committed':
      case 'refused':
        if (running?.id === order.turn) running.hear(order);
        break;
      case 'failed':
        void readiness.failed(fromWireError(order.error));
        break;
      case 'asked':
        readiness.recheck();
        break;
      case 'close':
        void close();
        break;
    }
  }

  port.on('message', (message: unknown) => obey(orderSchema.parse(message)));
  await readiness.start();
  post({ kind: 'started' });
}
