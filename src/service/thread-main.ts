import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createLogger } from '../base/logger.js';
import { fromWireError } from '../base/wire-error.js';
import { analyse } from '../run/analyse.js';
import { createAnalysisTools } from '../run/analysis-tools.js';
import { observeWithLog } from '../run/observer.js';
import type { OnFiles } from '../run/read/read-task.js';
import { Call, Turn } from '../run/turn.js';
import {
  type AnalysisThreadOffer,
  type MainThreadOffer,
  type ThreadData,
  ThreadPort,
  threadData,
} from './between-threads.js';
import { createConnector } from './connector.js';
import { openReader } from './open-reader.js';
import { Readiness } from './readiness.js';

if (parentPort === null) throw new Error('This file runs as the analysis thread.');
await runAnalysisThread(parentPort, threadData.parse(workerData));

/** Holds the connection and does what the main thread asks, until the main thread closes this thread. */
async function runAnalysisThread(port: MessagePort, data: ThreadData): Promise<void> {
  const { config, secrets, build, verbose, logTo, pauses } = data;
  const main = new ThreadPort<MainThreadOffer>(port);
  const log = createLogger({ verbose, stream: logTo });
  const observe = observeWithLog((event) => main.tell('observed', event), log);
  const { web_id, server_url } = config.analyser;
  const readiness = new Readiness(createConnector(config, secrets, { observe }), {
    log,
    own: { webIds: [web_id], serverUrl: server_url },
    onChange: (state) => main.tell('readiness', state),
    pauses,
  });
  const onProblem = (problem: string) => readiness.tellProblem(problem);
  const reader = await openReader({ config, secrets, build, log, observe, onProblem });
  const tools = createAnalysisTools(config, observe, reader.podReader);
  /** The turn in hand. */
  let turn = new Turn([]);

  const onFiles: OnFiles = (read, all) => main.tell('files', read, all);

  const offer: AnalysisThreadOffer = {
    async analyse(named) {
      // The time of the analysis begins before the login, if there is one.
      const startedAt = performance.now();
      const calls = named.map((call) => new Call(call));
      for (const { id, answered } of calls) {
        void answered.then((report) => main.tell('answer', id, report));
      }
      turn = new Turn(calls, () => main.ask('commit'));
      await readiness.use(turn.signal, async (connection) => {
        const given = { onFiles, startedAt };
        const { errors, notices } = await analyse(tools, connection, turn, given);
        for (const notice of notices) log.warn(notice);
        return errors;
      });
    },
    endWriting: () => turn.endWriting(),
    stop: (reason) => turn.stopAll(fromWireError(reason)),
    recheck(failure) {
      if (failure === null) readiness.recheck();
      else readiness.failed(fromWireError(failure));
    },
    async close() {
      await readiness.close();
      await reader.leave();
      port.close();
    },
  };
  main.offer(offer);
  await readiness.start();
}
