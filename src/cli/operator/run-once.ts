import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import type { PublishedEntry } from '../../documents/results-document.js';
import { stopError } from '../../queue/analysis-report.js';
import type { RunTurn } from '../../queue/turn.js';
import { analyse, type FinishedAnalysis } from '../../run/analyse.js';
import { createAnalysisTools } from '../../run/analysis-tools.js';
import { connect } from '../../run/connection.js';
import type { CallWatch } from '../../run/observer.js';
import { performTurn } from '../../run/perform-turn.js';
import type { StoredRun } from '../../run/serve-callers.js';
import { type Joined, joinOthers } from '../../thread/join-others.js';
import { startTracing } from '../../traces/tracing.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { printFields } from '../printer.js';
import { createProgress } from '../progress.js';
import { untilInterrupted } from '../stop-signals.js';
import { version } from '../version.js';
import { noiseWarnings } from './describe-release.js';
import { unlimited } from './own-turn.js';

interface Flags {
  json?: boolean;
}

/** One analysis in this process, the same way as for callers, with one call for everybody. */
export async function runOnce(context: ModeContext, flags: Flags): Promise<number> {
  const { config, secrets, warnings } = await loadConfig(context);
  const log = createLogger(context);
  for (const warning of [...warnings, ...(await noiseWarnings(config))]) log.warn(warning);
  const { observer, stop } = await startTracing(context.env, log);
  const settings = { config, secrets, version, log, observer };
  const joined = await joinOthers(settings);
  try {
    const outcome = await untilInterrupted((signal) => {
      signal.addEventListener('abort', () => log.info('Stopping the analysis.'));
      return settings.observer.call(undefined, (watch) =>
        takeTurn(settings, joined, watch, signal),
      );
    });
    for (const notice of outcome.notices) log.warn(notice);
    const [run] = outcome.documents.values();
    if (run === undefined) return exitCodes.failed;
    printSummary(run, context, flags);
    if (!nobodyReceived(run.document.sharing.published)) return exitCodes.ok;
    context.printError('Nobody received a result: the results document says why for each.');
    return exitCodes.failed;
  } finally {
    await Promise.all([joined.leave(), stop()]);
  }
}

type Settings = Parameters<typeof joinOthers>[0];

/** Returns the outcome, or throws why there is none. */
async function takeTurn(
  { config, secrets, log, observer }: Settings,
  { podReader, createQueue }: Joined,
  watch: CallWatch,
  signal: AbortSignal,
): Promise<FinishedAnalysis> {
  const tools = createAnalysisTools(config, observer, podReader);
  const show = createProgress(process.stderr);
  const progress = { onPodRead: show('Pods read'), onRecipient: show('Results published') };
  const end: { outcome?: FinishedAnalysis; failure?: unknown } = {};
  const turnTools = { output: config.output, timeoutSeconds: null, log };
  const runTurn: RunTurn = (turn) =>
    // With the login inside, so that one that fails leaves its mark as well.
    performTurn(turn, turnTools, async (named, onFiles) => {
      const { openValues } = podReader;
      const connection = await connect(config, secrets, named.signal, { observer, openValues });
      try {
        end.outcome = await analyse(tools, connection, named, { ...progress, onFiles });
      } finally {
        await connection.close();
      }
    }).catch((error: unknown) => {
      end.failure = error;
      throw error;
    });
  const queue = createQueue(unlimited, runTurn);
  const call = { webId: null, caller: null, peer: '', onTurn: () => watch.began() };
  const { status, message } = await queue.enqueue(call, signal);
  if (status === 'CANCELLED') throw stopError('cancel');
  const { outcome } = end;
  if (outcome === undefined || status === 'FAILED') {
    const failure = end.failure ?? outcome?.errors[0];
    throw failure instanceof Error ? failure : new Error(message);
  }
  watch.ended(status);
  return outcome;
}

function nobodyReceived(published: PublishedEntry[]): boolean {
  const own = published.filter(({ kind }) => kind === 'pod-average');
  return own.length > 0 && own.every(({ recipients }) => recipients.length === 0);
}

function printSummary({ document, path }: StoredRun, context: ModeContext, flags: Flags): void {
  const { run_id, pods, cohort, sharing, warnings } = document;
  const { pod_count, included_pod_count } = cohort;
  const readings = pods.reduce((sum, pod) => sum + pod.observation_count, 0);
  const shared = sharing.published.flatMap(({ recipients }) => recipients).length;
  const failed = sharing.published.flatMap(({ failures }) => Object.keys(failures)).length;
  const outcome = {
    run_id,
    pod_count,
    included_pod_count,
    readings,
    results_shared: shared,
    results_failed: failed,
    warnings: warnings.length,
    results_document: path,
  };
  printFields(context, flags, outcome, [
    ['run id', run_id],
    ['Pods', `${pod_count} (${included_pod_count} in the averages)`],
    ['readings', readings],
    ['results shared', failed === 0 ? shared : `${shared} (${failed} failed)`],
    ['warnings', warnings.length],
    ['results document', path],
  ]);
}
