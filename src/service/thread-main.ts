import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../base/logger.js';
import { fromWireError, toWireError } from '../base/wire-error.js';
import { analyse } from '../run/analyse.js';
import { createAnalysisTools } from '../run/analysis-tools.js';
import { observeWithLog } from '../run/observer.js';
import { Call, type NamedCall, Turn } from '../run/turn.js';
import { type FromThread, type ThreadData, type ToThread, threadData } from './between-threads.js';
import { createConnector } from './connector.js';
import { openReader } from './open-reader.js';
import { Readiness } from './readiness.js';

if (parentPort === null) throw new Error('This file runs as the analysis thread.');
await runAnalysisThread(parentPort, threadData.parse(workerData));

/** Holds the connection and does what the main thread tells, until the main thread closes this thread. */
async function runAnalysisThread(port: MessagePort, data: ThreadData): Promise<void> {
  const { config, secrets, build, verbose, logTo, pauses } = data;
  const tell = (message: FromThread) => port.postMessage(message);
  const log = createLogger({ verbose, stream: logTo });
  const observe = observeWithLog((event) => tell({ kind: 'observed', event }), log);
  const { web_id, server_url } = config.analyser;
  const readiness = new Readiness(createConnector(config, secrets, { observe }), {
    log,
    own: { webIds: [web_id], serverUrl: server_url },
    onChange: (state) => tell({ kind: 'readiness', state }),
    pauses,
  });
  const onProblem = (problem: string) => readiness.tellProblem(problem);
  const reader = await openReader({ config, secrets, build, log, observe, onProblem });
  const tools = createAnalysisTools(config, observe, reader.podReader);
  /** The turn in hand. */
  let turn = new Turn([]);
  /** Goes on with what the main thread says at the last checkpoint. */
  let goOn: (said: Extract<ToThread, { kind: 'committed' }>) => void = () => undefined;

  const commit = () =>
    new Promise<ReadonlySet<string>>((resolve, reject) => {
      goOn = ({ ids, error }) => {
        if (error === null) resolve(ids);
        else reject(fromWireError(error));
      };
      tell({ kind: 'commit' });
    });

  async function serve(named: readonly NamedCall[]): Promise<void> {
    // The time of the analysis begins before the login, if there is one.
    const startedAt = performance.now();
    const calls = named.map((call) => new Call(call));
    for (const { id, answered } of calls) {
      void answered.then((report) => tell({ kind: 'answer', id, report }));
    }
    turn = new Turn(calls, commit);
    await readiness.use(turn.signal, async (connection) => {
      const onFiles = (read: number, all: number) => tell({ kind: 'files', read, all });
      const { errors, notices } = await analyse(tools, connection, turn, { onFiles, startedAt });
      for (const notice of notices) log.warn(notice);
      return errors;
    });
  }

  async function close(): Promise<void> {
    await readiness.close();
    await reader.leave();
    port.close();
  }

  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'analyse':
        serve(message.calls).then(
          () => tell({ kind: 'ended', error: null }),
          (error: unknown) => tell({ kind: 'ended', error: toWireError(error) }),
        );
        break;
      case 'committed':
        goOn(message);
        break;
      case 'stop':
        turn.stopAll(fromWireError(message.reason));
        break;
      case 'endWriting':
        turn.endWriting();
        break;
      case 'recheck':
        if (message.failure === null) readiness.recheck();
        else readiness.failed(fromWireError(message.failure));
        break;
      case 'close':
        void close();
    }
  });
  await readiness.start();
}
