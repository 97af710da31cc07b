import { createLogger } from '../../base/logger.js';
import { createChartRenderer } from '../../chart/chart-renderer.js';
import { loadConfig } from '../../config/load-config.js';
import { statusOf } from '../../run/build-report.js';
import { connect, disconnect } from '../../run/connection.js';
import { createCycleTools } from '../../run/engine.js';
import { performRun } from '../../run/perform-run.js';
import { RunControl } from '../../run/run-control.js';
import type { CycleOutcome } from '../../run/run-cycle.js';
import { exitCodes } from '../exit-codes.js';
import { type Joined, joinOthers } from '../joining.js';
import type { Mode } from '../mode.js';
import { createProgress } from '../progress.js';
import { startTracing } from '../watching.js';

export const mode: Mode = {
  async run({ env, cwd, verbose, print }) {
    const { config, secrets, warnings } = await loadConfig({ env, cwd });
    const log = createLogger({ verbose });
    for (const warning of warnings) log.warn(warning);
    const control = new RunControl();
    const renderer = createChartRenderer();
    const release = stopOnSignal(control, () => log.info('Stopping the run.'));
    const progress = createProgress(process.stderr);
    const tracing = await startTracing(env, log);
    const { observer } = tracing;
    const joined = await joinOthers(config, secrets, log);
    try {
      const { workforce } = joined;
      const { openValues } = workforce;
      const connection = await connect(config, secrets, control.signal, { observer, openValues });
      try {
        const tools = createCycleTools(config, renderer, observer, workforce);
        const request = {
          caller: null,
          onPodRead: progress('Pods read'),
          onRecipient: progress('Results published'),
        };
        const limits = {
          timeoutSeconds: null,
          onWait: () => log.info('Another process runs an analysis; waiting for its end.'),
        };
        const inTurn = turnTaker(joined);
        const outcome = await observer.analysis(undefined, (watch) =>
          inTurn(control, async () => {
            watch.began();
            const done = await performRun(tools, connection, request, control, limits);
            watch.ended(statusOf(done, request.caller));
            return done;
          }),
        );
        for (const line of summary(outcome)) print(line);
        return exitCodes.ok;
      } finally {
        await disconnect(connection);
      }
    } finally {
      release();
      await Promise.all([renderer.close(), joined.leave(), tracing.stop()]);
    }
  },
};

function summary({ document, path }: CycleOutcome): string[] {
  const { run_id, pods, cohort, sharing, warnings } = document;
  const readings = pods.reduce((sum, pod) => sum + pod.observation_count, 0);
  const shared = sharing.published.reduce((sum, entry) => sum + entry.recipients.length, 0);
  const failed = sharing.published.reduce(
    (sum, { failures }) => sum + Object.keys(failures).length,
    0,
  );
  const lines: [string, string][] = [
    ['run id', run_id],
    ['Pods', `${cohort.pod_count} (${cohort.included_pod_count} in the averages)`],
    ['readings', String(readings)],
    ['results shared', failed === 0 ? String(shared) : `${shared} (${failed} failed)`],
    ['warnings', String(warnings.length)],
    ['results document', path],
  ];
  return lines.map(([label, value]) => `${label.padEnd(16)}  ${value}`);
}

/** What the operator starts is never one too many. */
const unlimited = { inHand: Infinity, all: Infinity, perCaller: Infinity, perPeer: Infinity };

/** Where several processes share the work, all of them take turns. */
function turnTaker({ createLine }: Joined) {
  const line = createLine?.(unlimited);
  return <T>(control: RunControl, work: () => Promise<T>): Promise<T> =>
    line === undefined ? work() : line.take({ caller: null, peer: '', control }, work);
}

/** The first signal stops the run as a Cancel would; one that comes too late lets it finish. */
function stopOnSignal(control: RunControl, onStop: () => void): () => void {
  const stop = () => {
    onStop();
    control.stop('shutdown');
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
}
