import { setTimeout as pause } from 'node:timers/promises';
import { mapConcurrently } from '../../base/concurrency.js';
import type { ResultsDocument } from '../../documents/results-document.js';
import type { Triple } from '../../solid/turtle.js';
import { type AnalysisReport, failureSentence, reportOfFailure } from '../analysis-report.js';
import type { NamedCall } from '../assignment.js';
import { limits } from '../limits.js';
import { buildCommonReport, buildReport, buildUnfinishedReport } from './build-report.js';
import { storeKeys } from './document-keys.js';
import type { CallerGroup, UnfinishedGroup } from './group-callers.js';
import { HandOvers, handOver, logGrantsOfAnalyser, type RecipientOutcome } from './hand-over.js';
import type { OwnResult, Written } from './publish-documents.js';
import {
  type Published,
  runDocumentOf,
  type StoredRun,
  storeRun,
  type Work,
  type WrittenGroup,
  writtenDocuments,
} from './write-results.js';

export interface ServedCalls {
  /** The stored runs; calls of one WebID share one run. */
  runs: readonly StoredRun[];
  /** Failures on the Analyser's own side, because of which a caller did not get everything. */
  errors: unknown[];
  /** Warnings for the operator's log; they name nobody. */
  notices: readonly string[];
}

/** What became of the calls of a group. */
interface Ended {
  report: AnalysisReport;
  run: StoredRun | null;
  errors: readonly unknown[];
  granted: readonly Triple[];
}

/**
 * Hands over the keys and answers for all callers side by side, so that nobody waits for another's Pod. The keys are kept
 * beside that, because recipients do not look into ind-keys.ttl; the Analyser's own log is written last, once for all.
 */
export async function answerCalls(
  published: Published,
  unfinished: readonly UnfinishedGroup[],
  answer: (callId: string, report: AnalysisReport) => void,
  work: Work,
): Promise<ServedCalls> {
  const { publishing, analysis, tools } = work;
  const { groups, cohort } = published;
  const all = writtenDocuments(published);
  const runs: StoredRun[] = [];
  const errors: unknown[] = [];
  if (cohort.notClosed !== null) errors.push(cohort.notClosed);
  const keeping = publishing === null ? Promise.resolve([]) : storeKeys(publishing, all);
  // A failure is thrown when it is waited for.
  keeping.catch(() => undefined);
  let logging: Promise<string[]> = Promise.resolve([]);
  const granted: Triple[] = [];
  let unanswered = groups.length + unfinished.length;
  const end = async (calls: readonly NamedCall[], ended: Ended) => {
    granted.push(...ended.granted);
    errors.push(...ended.errors);
    unanswered -= 1;
    if (unanswered === 0 && publishing !== null) {
      // One request for all. Who looks there after the last answer finds it, unless the server is slow.
      logging = logGrantsOfAnalyser(publishing, granted);
      const inTime = pause(limits.ownLogMs, undefined, { ref: false });
      await Promise.race([Promise.allSettled([keeping, logging]), inTime]);
    }
    if (ended.run !== null) runs.push(ended.run);
    for (const { id } of calls) answer(id, ended.report);
  };
  const handOvers = new HandOvers();
  await Promise.all([
    ...unfinished.map(({ calls, pod }) =>
      end(calls, withReport(buildUnfinishedReport(pod, analysis.readingSeconds, tools.config))),
    ),
    ...groups.map(async (written) => {
      const ended = await handOverAndRecord(written, { published, handOvers }, work).catch(
        (error: unknown) => failed(error, written.run),
      );
      await end(written.group.calls, ended);
    }),
  ]);
  return {
    runs,
    errors: [...new Set(errors)],
    notices: [...(await keeping), ...(await logging)],
  };
}

function withReport(report: AnalysisReport): Ended {
  return { report, run: null, errors: [], granted: [] };
}

function failed(error: unknown, run: StoredRun | null): Ended {
  return { report: reportOfFailure(error), run, errors: [error], granted: [] };
}

/** Hands over to the recipients of a group, and records what they have received. */
async function handOverAndRecord(
  written: WrittenGroup,
  { published, handOvers }: { published: Published; handOvers: HandOvers },
  work: Work,
): Promise<Ended> {
  const { group, run, failure } = written;
  // Recipients whose own document is written get its key, whatever else has failed.
  const outcomes = await handOverAll(
    written.ownResults,
    published.cohort.document,
    handOvers,
    work,
  );
  const granted = outcomes.flatMap((outcome) => outcome.granted);
  const errors: unknown[] = outcomes.flatMap((outcome) => outcome.errors);
  const received = outcomes.flatMap((outcome) => outcome.warnings).sort();
  const warnings = [...written.warnings, ...received];
  const document = runDocumentOf({ ...written, warnings }, outcomes, work);
  const report = reportOf(group, document, work);
  const hasSentFigures = writtenDocuments(published).some((one) => one.hasSentFigures);
  try {
    // Also of a group that fails: others of it may have got their results.
    const stored = await storeRun(group, document, hasSentFigures, work);
    if (failure !== null) return { ...failed(failure.error, stored), granted };
    return { report, run: stored, errors, granted };
  } catch (error) {
    if (failure !== null) return { ...failed(failure.error, run), granted };
    // By now the results may have reached their recipients, so a full disk does not make the call fail.
    const problem = `The run document is incomplete. ${failureSentence(error)}`;
    const message = `${report.message} ${problem}`.trim();
    return { report: { ...report, message }, run, errors: [...errors, error], granted };
  }
}

async function handOverAll(
  ownResults: readonly OwnResult[],
  cohort: Written | null,
  handOvers: HandOvers,
  { publishing, tools, onRecipient }: Work,
): Promise<RecipientOutcome[]> {
  if (publishing === null) return [];
  let done = 0;
  return await mapConcurrently(ownResults, ownResults.length, async (ownResult) => {
    const outcome = await handOver(publishing, ownResult, cohort, { handOvers, now: tools.now });
    done += 1;
    onRecipient?.(done, ownResults.length);
    return outcome;
  });
}

function reportOf(
  { webId, isRecorded }: CallerGroup,
  document: ResultsDocument,
  { tools, analysis }: Work,
): AnalysisReport {
  const report =
    webId === null
      ? buildCommonReport(analysis, document)
      : buildReport(analysis, document, webId, tools.config.sharing);
  return isRecorded ? report : { ...report, run_id: '' };
}
