import { withoutFullStop } from '../base/sentences.js';
import type { ResultsDocument } from '../documents/results-document.js';
import type { Fate } from '../memory/fate.js';
import { canonicalRoot } from '../pod/addresses.js';
import { type AnalysisReport, reportWithoutResult } from '../queue/analysis-report.js';
import type { AnalysisResults } from './build-results-document.js';
import type { PodReading } from './read/read-task.js';

/**
 * Step 8: the report for one caller, with the digest of their own document if it was published. It
 * names nobody but the caller and the Analyser.
 */
export function buildReport(
  results: AnalysisResults,
  document: ResultsDocument,
  caller: string,
  sha256 = '',
): AnalysisReport {
  const { conclusion } = results;
  const root = canonicalRoot(caller);
  const pod = conclusion.contributors.find(({ owner }) => owner.root === root);
  const filesRead = pod?.filesRead ?? 0;
  const filesSkipped = pod?.filesSkipped ?? 0;
  const own = document.sharing.published.find(({ kind }) => kind === 'pod-average');
  const published = own?.recipients.includes(caller) ?? false;
  const cohort = document.sharing.published.find(({ kind }) => kind === 'cohort-average');
  const observations = pod?.summary.observation_count ?? 0;
  const sentences =
    pod === undefined || filesRead === 0
      ? [explainNoData(results, caller, pod), explainForms(pod), explainReadOnly(pod)]
      : [
          explainSkipped(pod, filesRead + filesSkipped),
          explainForms(pod),
          explainReadOnly(pod),
          ...explainReadings(pod),
          published
            ? explainCohort(cohort?.failures[caller])
            : explainUnpublished(document.sharing.enabled, own?.failures[caller]),
          explainFigures(results, document, root),
        ];
  return {
    status: filesRead > 0 ? 'COMPLETED' : 'NO_DATA',
    run_id: document.run_id,
    message: sentences.filter((sentence) => sentence !== '').join(' '),
    result_url: published ? (own?.resource_url ?? '') : '',
    generated_at: document.generated_at,
    pod_count: document.cohort.pod_count,
    observation_count: observations,
    files_read: filesRead,
    files_skipped: filesSkipped,
    published,
    result_sha256: published ? sha256 : '',
  };
}

function explainNoData(
  { shares }: AnalysisResults,
  caller: string,
  pod: PodReading | undefined,
): string {
  if (pod !== undefined && pod.filesSkipped > 0) {
    const sentence =
      pod.filesSkipped === 1
        ? 'The one file that you shared could not be read'
        : `None of the ${pod.filesSkipped} files that you shared could be read`;
    return `${sentence}${explainUnanswered(pod)}.`;
  }
  const folders = pod?.folders ?? [];
  if (folders.some(({ fate }) => isUnanswered(fate))) {
    return 'The folder that you shared could not be listed, because its server gave no answer in time. Try again later.';
  }
  if (folders.some(({ fate }) => fate.kind === 'ended')) {
    return 'The folder that you shared could not be listed: the Analyser may not read it. Share it again.';
  }
  if (folders.some(({ fate }) => fate.kind !== 'read')) {
    return 'The folder that you shared could not be used: its server gave no listing of it, or others than you may write to it.';
  }
  if (folders.length > 0) {
    return 'You have shared a folder with the Analyser, but no file of readings was found in it.';
  }
  if (shares.unreadInbox !== null) {
    return 'The inbox of the Analyser could not be read, so what you have shared since was not found. Try again later; the operator of the service has to look at it.';
  }
  const root = canonicalRoot(caller) ?? caller;
  return shares.notWanted.some((url) => url.startsWith(root))
    ? 'You have shared files with the Analyser, but none that it is set to analyse.'
    : 'You have not shared any readings with the Analyser.';
}

/** Whether its server gave no answer, or there was no time to ask. */
function isUnanswered(fate: Fate): boolean {
  return fate.kind === 'not asked' || (fate.kind === 'missing' && fate.because === 'silence');
}

/** What the caller cannot see from the figures of the cohort: why there are none, or how old they are. */
function explainFigures(
  { conclusion }: AnalysisResults,
  { cohort, sharing }: ResultsDocument,
  root: string | null,
): string {
  if (!sharing.enabled) return '';
  if (conclusion.withheld !== null) {
    return 'The figures of the cohort are withheld until the operator of the service has looked at why.';
  }
  const told = conclusion.disclose(root === null ? [] : [root]).average_of_averages;
  if (Object.values(told).every((figure) => figure === null)) {
    return conclusion.release === null
      ? 'There are no figures of the cohort: too few Pods are behind them, or the service sends none out.'
      : 'There are no figures of the cohort yet: too few Pods are behind them.';
  }
  const carried = cohort.carried_pod_count ?? 0;
  if (carried === 0) return '';
  return `${carried} of the ${cohort.pod_count} Pods could not be read in full and ${carried === 1 ? 'counts' : 'count'} with figures of an earlier day.`;
}

/** What was left out of the averages, or of the chart. */
function explainReadings({ summary }: PodReading): string[] {
  const none = summary.observation_count === 0;
  return [...(none ? ['None of your readings count in this analysis.'] : []), ...summary.notes];
}

function explainSkipped(pod: PodReading, all: number): string {
  if (pod.filesSkipped === 0) return '';
  return `${pod.filesSkipped} of the ${all} files that you shared could not be read${explainUnanswered(pod)}.`;
}

/** The end of a sentence. */
function explainUnanswered({ filesSkipped, files }: PodReading): string {
  const unanswered = files.filter(({ fate }) => isUnanswered(fate)).length;
  if (unanswered === 0) return '';
  const which = unanswered === filesSkipped ? '' : ` ${unanswered} of them`;
  return `,${which} because the server gave no answer in time: try again later`;
}

/** Why files do not count whose owner can do something about it. */
function explainForms(pod: PodReading | undefined): string {
  const sentences = [
    [
      'cipher',
      'is encrypted in a way that this version does not know',
      'are encrypted in a way that this version does not know',
    ],
    [
      'plain',
      'is not encrypted any more, because you share it with everybody',
      'are not encrypted any more, because you share them with everybody',
    ],
    [
      'size',
      'is larger than 4 MB: split it into smaller files',
      'are larger than 4 MB: split them into smaller files',
    ],
  ].flatMap(([because, isSo, areSo]) => {
    const count = (pod?.files ?? []).filter(
      ({ fate }) => fate.kind === 'missing' && fate.because === because,
    ).length;
    if (count === 0) return [];
    return [count === 1 ? `One of your files ${isSo}.` : `${count} of your files ${areSo}.`];
  });
  return sentences.join(' ');
}

/** A Pod that lets the Analyser write may let others write as well, which it cannot see. */
function explainReadOnly(pod: PodReading | undefined): string {
  if (pod === undefined || pod.readOnlyWanted === 0) return '';
  return (
    'Files that the Analyser may change do not count, because others may be able to change them ' +
    'too. Grant it read access only.'
  );
}

function explainUnpublished(isEnabled: boolean, failure: string | undefined): string {
  if (!isEnabled) return 'Nothing was published: the service runs without sharing results.';
  const reason = withoutFullStop(failure ?? 'no reason is known');
  return `The figures are ready but did not reach your Pod: ${reason}.`;
}

function explainCohort(failure: string | undefined): string {
  if (failure === undefined) return '';
  const reason = withoutFullStop(failure);
  return `Your own result has reached your Pod, but the document of the cohort has not: ${reason}.`;
}

/** That of run-once, whose run document says everything else. */
export function buildCommonReport(
  { conclusion }: AnalysisResults,
  { run_id, generated_at }: ResultsDocument,
): AnalysisReport {
  const isRead = conclusion.contributors.some(({ filesRead }) => filesRead > 0);
  const status = isRead ? 'COMPLETED' : 'NO_DATA';
  return { ...reportWithoutResult(status, '', run_id), generated_at };
}
