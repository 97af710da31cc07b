import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../base/logger.js';
import { fromWireError } from '../base/wire-error.js';
import type { CallInTurn, Turn } from '../queue/turn.js';
import { analyse } from '../run/analyse.js';
import { createAnalysisTools } from '../run/analysis-tools.js';
import { createConnector } from '../run/connector.js';
import { observeWithBoth, unobserved } from '../run/observer.js';
import type { OnFiles } from '../run/read/read-task.js';
import { Readiness } from '../run/readiness.js';
import { startTracing } from '../traces/tracing.js';
import {
  type AnalysisThreadOffer,
  type MainThreadOffer,
  type ThreadData,
  ThreadPort,
  threadData,
} from './between-threads.js';
import { createForwardingObserver } from './forwarding-observer.js';
import { joinOthers } from './join-others.js';

if (parentPort === null) throw new Error('This file runs as the analysis thread.');
await runAnalysisThread(parentPort, threadData.parse(workerData));

/** Holds the connection and does what the main thread asks, until that closes the thread. */
async function runAnalysisThread(port: MessagePort, data: ThreadData): Promise<void> {
  const { config, secrets, version, verbose, logTo, isMeasured, pauses } = data;
  const main = new ThreadPort<MainThreadOffer>(port);
  const log = createLogger({ verbose, stream: logTo });
  const tracing = await startTracing(data.env, log);
  const forwarding = isMeasured
    ? createForwardingObserver((events) => main.tell('observed', events))
    : unobserved;
  const observer = observeWithBoth(forwarding, tracing.observer);
  const others = await joinOthers({ config, secrets, version, log, observer });
  const { openValues } = others.podReader;
  const tools = createAnalysisTools(config, observer, others.podReader);
  const { web_id, server_url } = config.analyser;
  const readiness = new Readiness(createConnector(config, secrets, { observer, openValues }), {
    log,
    own: { webIds: [web_id], serverUrl: server_url },
    onChange: (state) => main.tell('readiness', state),
    pauses,
  });
  /** Of the analysis in hand. */
  let stopping = new AbortController();

  /** The main thread knows who was stopped and who goes on. */
  function turnOf(calls: readonly CallInTurn[], stop: AbortController): Turn {
    return {
      calls,
      signal: stop.signal,
      commit: () =>
        main.ask('commit').catch((error: unknown) => {
          stop.abort(error);
          throw error;
        }),
      answer: (callId, report) => main.tell('answer', callId, report),
    };
  }

  const onFiles: OnFiles = (read, all) => main.tell('files', read, all);

  const offer: AnalysisThreadOffer = {
    async analyse(calls) {
      stopping = new AbortController();
      const turn = turnOf(calls, stopping);
      const work = () =>
        readiness.use(turn.signal, async (connection) => {
          const { errors, notices } = await analyse(tools, connection, turn, { onFiles });
          for (const notice of notices) log.warn(notice);
          return errors;
        });
      await observer.within(calls[0]?.traceparent, work);
    },
    /** What `analyse` then throws does not matter: the main thread tells the reason of the stop. */
    stop: (reason) => stopping.abort(fromWireError(reason)),
    recheck(failure) {
      if (failure === null) readiness.recheck();
      else void readiness.failed(fromWireError(failure));
    },
    async close() {
      await readiness.close();
      await Promise.all([others.leave(), tracing.stop()]);
      port.close();
    },
  };
  main.offer(offer);
  await readiness.start();
}
