import { AnalyserError } from '../../base/errors.js';
import { createLogger, type Logger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import type { PublishedEntry } from '../../documents/results-document.js';
import type { AnalysisReport } from '../../queue/analysis-report.js';
import type { RunTurn } from '../../queue/turn.js';
import { analyse, type FinishedAnalysis, type Progress } from '../../run/analyse.js';
import { connect, disconnect } from '../../run/connect.js';
import type { Connection } from '../../run/connection.js';
import { createAnalysisTools } from '../../run/engine.js';
import type { Observer } from '../../run/observer.js';
import { performTurn } from '../../run/perform-turn.js';
import type { StoredRun } from '../../run/serve-callers.js';
import { type Joined, joinOthers } from '../../thread/join-others.js';
import { startTracing } from '../../traces/tracing.js';
import { exitCodes } from '../exit-codes.js';
import { untilInterrupted } from '../interruption.js';
import type { Mode, ModeContext } from '../mode.js';
import { noiseWarnings } from '../noise-warning.js';
import { createProgress } from '../progress.js';
import { readVersion } from '../version.js';

/** One analysis in this process, the same way as for callers, with one call for everybody. */
export const mode: Mode = {
  async run(context) {
    const { env, cwd, verbose, printError } = context;
    const { config, secrets, warnings } = await loadConfig({ env, cwd });
    const log = createLogger({ verbose });
    for (const warning of [...warnings, ...(await noiseWarnings(config))]) log.warn(warning);
    const tracing = await startTracing(env, log);
    const joined = await joinOthers({
      ...{ config, secrets, log },
      version: readVersion(),
      observer: tracing.observer,
    });
    try {
      const { observer } = tracing;
      const outcome = await untilInterrupted((signal) => {
        signal.addEventListener('abort', () => log.info('Stopping the analysis.'));
        return runOnce({ config, secrets, log, observer, joined, signal });
      });
      for (const notice of outcome.notices) log.warn(notice);
      const [run] = outcome.documents.values();
      if (run === undefined) return exitCodes.failed;
      printSummary(run, context);
      if (!nobodyReceived(run.document.sharing.published)) return exitCodes.ok;
      printError('Nobody received a result: the results document says why for each.');
      return exitCodes.failed;
    } finally {
      await Promise.all([joined.leave(), tracing.stop()]);
    }
  },
};

interface RunOnce {
  config: Config;
  secrets: Secrets;
  log: Logger;
  observer: Observer;
  joined: Joined;
  signal: AbortSignal;
}

async function runOnce(settings: RunOnce): Promise<FinishedAnalysis> {
  const { config, secrets, observer, joined, signal } = settings;
  const { podReader } = joined;
  const connection = await connect(config, secrets, signal, { observer, podReader });
  try {
    return await observer.call(undefined, async (watch) => {
      const progress = createProgress(process.stderr);
      const steps = {
        onPodRead: progress('Pods read'),
        onRecipient: progress('Results published'),
      };
      const { report, outcome } = await takeTurn(settings, connection, steps, () => watch.began());
      watch.ended(report.status);
      return outcome;
    });
  } finally {
    await disconnect(connection);
  }
}

/** Returns the outcome, or throws why there is none. */
async function takeTurn(
  { config, log, observer, joined, signal }: RunOnce,
  connection: Connection,
  progress: Progress,
  onTurn: () => void,
): Promise<{ report: AnalysisReport; outcome: FinishedAnalysis }> {
  const tools = createAnalysisTools(config, observer, joined.podReader);
  const outcomes: FinishedAnalysis[] = [];
  const failures: unknown[] = [];
  const turnTools = {
    output: config.output,
    timeoutSeconds: null,
    log,
    onDiskFailure: (error: unknown) => failures.push(error),
  };
  const runTurn: RunTurn = (turn) =>
    performTurn(turn, turnTools, async (named) => {
      try {
        outcomes.push(await analyse(tools, connection, named, progress));
      } catch (error) {
        failures.push(error);
        throw error;
      }
    });
  const queue = joined.createQueue(unlimited, runTurn, { id: '', at: '' });
  const stop = () => {
    queue.close();
    queue.stopRunning();
  };
  signal.addEventListener('abort', stop, { once: true });
  const report = await queue.enqueue(
    { webId: null, peer: '', onTurn },
    new AbortController().signal,
  );
  signal.removeEventListener('abort', stop);
  const [outcome] = outcomes;
  if (outcome !== undefined && report.status !== 'FAILED') return { report, outcome };
  if (report.status === 'CANCELLED') throw new AnalyserError('cancelled', report.message);
  const [failure] = [...failures, ...(outcome?.errors ?? [])];
  throw failure instanceof Error ? failure : new Error(report.message);
}

/** The operator's own analysis is never refused for a limit. */
const unlimited = { callersPerTurn: 1, all: Infinity, perCaller: Infinity, perPeer: Infinity };

function nobodyReceived(published: PublishedEntry[]): boolean {
  const own = published.filter(({ kind }) => kind === 'pod-average');
  return own.length > 0 && own.every(({ recipients }) => recipients.length === 0);
}

function printSummary(
  { document, path }: StoredRun,
  { options, print, printJson }: ModeContext,
): void {
  const { run_id, pods, cohort, sharing, warnings } = document;
  const readings = pods.reduce((sum, pod) => sum + pod.observation_count, 0);
  const shared = sharing.published.reduce((sum, entry) => sum + entry.recipients.length, 0);
  const failed = sharing.published.reduce(
    (sum, { failures }) => sum + Object.keys(failures).length,
    0,
  );
  if (options['json'] === true) {
    printJson({
      run_id,
      pod_count: cohort.pod_count,
      included_pod_count: cohort.included_pod_count,
      readings,
      results_shared: shared,
      results_failed: failed,
      warnings: warnings.length,
      results_document: path,
    });
    return;
  }
  const lines: [string, string][] = [
    ['run id', run_id],
    ['Pods', `${cohort.pod_count} (${cohort.included_pod_count} in the averages)`],
    ['readings', String(readings)],
    ['results shared', failed === 0 ? String(shared) : `${shared} (${failed} failed)`],
    ['warnings', String(warnings.length)],
    ['results document', path],
  ];
  for (const [label, value] of lines) print(`${label.padEnd(16)}  ${value}`);
}
