import { countOf } from '../../base/sentences.js';
import { loadConfig } from '../../config/load-config.js';
import type { PublishedRecord } from '../../documents/results-document.js';
import { analyse } from '../../run/analyse.js';
import { hasSucceeded } from '../../run/analysis-report.js';
import { createAnalysisTools } from '../../run/analysis-tools.js';
import { connect } from '../../run/connection.js';
import { varFolders } from '../../run/folders-of-config.js';
import { observeWithLog, unobserved } from '../../run/observer.js';
import type { ServedCalls, StoredRun } from '../../run/publish/publication.js';
import type { OnFiles, PodReader } from '../../run/read/read-task.js';
import { openReader } from '../../service/open-reader.js';
import { performTurn } from '../../service/perform-turn.js';
import { Call, Turn } from '../../service/turn.js';
import { exitCodes } from '../exit-codes.js';
import type { ModeContext } from '../mode.js';
import { ownBuild } from '../own-build.js';
import { type JsonFlag, printFields } from '../printer.js';
import { createProgress } from '../progress.js';
import { logged, openLog } from '../service/service-mode.js';
import { untilInterrupted } from '../stop-signals.js';

/** Runs one analysis in this process. It takes a turn like the analyses for callers, with one call for all Pods. */
export const runOnce = logged(async (context: ModeContext, flags: JsonFlag): Promise<number> => {
  const { config, secrets, warnings } = await loadConfig(context);
  const log = openLog(context, warnings);
  const observe = observeWithLog(unobserved, log);
  const settings = { config, secrets, build: ownBuild.digest, log, observe };
  const reader = await openReader(settings);
  try {
    const outcome = await untilInterrupted((signal) => {
      signal.addEventListener('abort', () => log.info('Stopping the analysis.'));
      return takeTurn(settings, reader.podReader, signal);
    });
    for (const notice of outcome.notices) log.warn(notice);
    const [run] = outcome.runs;
    if (run === undefined) return exitCodes.failed;
    printSummary(run, context, flags);
    if (run.document.pods.length === 0) {
      log.warn('Nothing that is shared could be read: the results document says why.');
      return exitCodes.failed;
    }
    const missed = countMissed(run.document.sharing.published);
    if (missed === 0) return exitCodes.ok;
    log.warn(
      `${countOf(missed, 'result')} did not reach their readers: the results document says why for each.`,
    );
    return exitCodes.failed;
  } finally {
    await reader.leave();
  }
});

type Settings = Parameters<typeof openReader>[0];

async function takeTurn(
  { config, secrets, log, observe }: Settings,
  podReader: PodReader,
  signal: AbortSignal,
): Promise<ServedCalls> {
  const tools = createAnalysisTools(config, observe, podReader);
  const showRead = createProgress('Files read');
  const onRecipient = createProgress('Results published');
  const turnTools = { output: varFolders(config), timeoutSeconds: null, log };
  const call = new Call(null);
  const turn = new Turn([call]);
  signal.addEventListener('abort', () => turn.cancelAll('cancel'));
  let outcome: ServedCalls | undefined;
  // The login is part of the turn, so that the marker in `var/` shows a failed login too.
  const failure = await performTurn(turn, turnTools, async (onFiles) => {
    const connection = await connect(config, secrets, turn.signal, { observe });
    try {
      const tell: OnFiles = (read, all) => {
        onFiles(read, all);
        showRead(read, all);
      };
      const given = { onFiles: tell, onRecipient };
      outcome = await analyse(tools, connection, turn, given);
    } finally {
      await connection.close();
    }
  });
  const report = await call.sent;
  if (outcome !== undefined && hasSucceeded(report)) return outcome;
  const cause = failure ?? outcome?.errors[0];
  throw cause instanceof Error ? cause : new Error(report.message);
}

function countMissed(published: readonly PublishedRecord[]): number {
  return published.reduce((sum, { failures }) => sum + Object.keys(failures).length, 0);
}

function printSummary({ document, path }: StoredRun, context: ModeContext, flags: JsonFlag): void {
  const { run_id, pods, cohort, sharing, warnings } = document;
  const { pod_count, included_pod_count } = cohort;
  const readings = pods.reduce((sum, pod) => sum + pod.observation_count, 0);
  const shared = sharing.published.flatMap(({ recipients }) => recipients).length;
  printFields(context, flags, {
    run_id,
    pod_count,
    included_pod_count,
    readings,
    results_shared: shared,
    results_failed: countMissed(sharing.published),
    warnings: warnings.length,
    results_document: path,
  });
}
