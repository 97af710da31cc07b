import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../base/logger.js';
import { fromWireError, toWireError } from '../base/wire-error.js';
import { analyse } from '../run/analyse.js';
import { createAnalysisTools } from '../run/analysis-tools.js';
import type { Assignment, NamedCall } from '../run/assignment.js';
import { observeWithLog } from '../run/observer.js';
import { noteInHand, spareNothing } from '../solid/in-hand.js';
import { type FromThread, type ThreadData, type ToThread, threadData } from './between-threads.js';
import { createConnector } from './connector.js';
import { openReader } from './open-reader.js';
import { Readiness } from './readiness.js';

if (parentPort === null) throw new Error('This file runs as the analysis thread.');
await runAnalysisThread(parentPort, threadData.parse(workerData));

/** Holds the connection and does what the main thread tells, until the main thread closes this thread. */
async function runAnalysisThread(port: MessagePort, data: ThreadData): Promise<void> {
  const { config, secrets, build, verbose, logTo, pauses, inHand } = data;
  if (inHand !== undefined) noteInHand(inHand);
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
  /** What the main thread says about the analysis in hand. */
  let cancelling = new AbortController();
  let endingWriting = new AbortController();
  let committed: (said: Extract<ToThread, { kind: 'committed' }>) => void = () => undefined;

  async function analyseFor(calls: readonly NamedCall[]): Promise<void> {
    cancelling = new AbortController();
    endingWriting = new AbortController();
    const assignment: Assignment = {
      calls,
      signal: cancelling.signal,
      writingEnds: endingWriting.signal,
      commit: () =>
        new Promise((resolve, reject) => {
          committed = ({ ids, error }) => {
            if (error === null) resolve(calls.filter(({ id }) => ids.has(id)));
            else reject(fromWireError(error));
          };
          tell({ kind: 'commit' });
        }),
      answer: (id, report) => tell({ kind: 'answer', id, report }),
    };
    await readiness.useConnection(assignment.signal, async (connection, startedAt) => {
      const onFiles = (read: number, all: number) => tell({ kind: 'files', read, all });
      const progress = { onFiles, startedAt };
      const { errors, notices } = await analyse(tools, connection, assignment, progress);
      for (const notice of notices) log.warn(notice);
      return errors;
    });
  }

  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'analyse':
        analyseFor(message.calls)
          .finally(spareNothing)
          .then(
            () => tell({ kind: 'ended', error: null }),
            (error: unknown) => tell({ kind: 'ended', error: toWireError(error) }),
          );
        break;
      case 'committed':
        committed(message);
        break;
      case 'cancel':
        cancelling.abort(fromWireError(message.reason));
        break;
      case 'endWriting':
        endingWriting.abort();
        break;
      case 'recheck':
        readiness.recheck();
        break;
      case 'failed':
        readiness.failed(fromWireError(message.error));
        break;
      case 'shutDown':
        void readiness
          .close()
          .then(() => reader.leave())
          .then(() => port.close());
    }
  });
  await readiness.start();
}
