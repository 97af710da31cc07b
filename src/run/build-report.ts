import { countOf, withoutFullStop } from '../base/sentences.js';
import type { Config } from '../config/schema.js';
import type { ResultsDocument } from '../documents/results-document.js';
import { filesOf, foldersOf, isTakenBack } from '../memory/pod-table.js';
import { type Because, hasEnded, isFor, type Outcome } from '../pod/outcome.js';
import { type AnalysisReport, reportWithoutResult } from './analysis-report.js';
import type { AnalysisResults } from './build-results-document.js';
import { namesOthersOf } from './gather/gather-shares.js';
import type { PodReading } from './read/pod-reading.js';

type CohortSharing = Pick<Config['sharing'], 'share_cohort_average' | 'minimum_cohort_pods'>;

/** Step 8: the report for one caller. It names only the caller and the Analyser. */
export function buildReport(
  results: AnalysisResults,
  document: ResultsDocument,
  caller: string,
  sharing: CohortSharing,
): AnalysisReport {
  const { conclusion } = results;
  const pod = conclusion.contributors.find(({ owner }) => owner.webId === caller);
  const filesRead = pod?.filesRead ?? 0;
  const filesSkipped = pod?.filesSkipped ?? 0;
  const own = document.sharing.published.find(({ kind }) => kind === 'pod-average');
  const published = own?.recipients.includes(caller) ?? false;
  const cohort = document.sharing.published.find(({ kind }) => kind === 'cohort-average');
  const observations = pod?.summary.observation_count ?? 0;
  const sentences =
    pod === undefined || filesRead === 0
      ? [explainNoData(results, caller, pod), explainSkippedForms(pod)]
      : [
          explainSkipped(pod, filesRead + filesSkipped),
          explainNotAsked(pod),
          explainSkippedForms(pod),
          observations === 0 ? 'None of your readings count in this analysis.' : '',
          published
            ? explainCohort(cohort?.failures[caller])
            : explainUnpublished(document.sharing.enabled, own?.failures[caller]),
          explainFigures(results, document, pod.owner.root, sharing),
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
  };
}

function explainNoData(
  { gathered }: AnalysisResults,
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
  const folders = pod === undefined ? [] : foldersOf(pod).filter((folder) => !isTakenBack(folder));
  if (folders.some(({ outcome }) => isUnanswered(outcome))) {
    return 'The folder that you shared could not be listed, because its server gave no answer in time. Try again later.';
  }
  if (folders.some(({ outcome }) => hasEnded(outcome))) {
    return 'The folder that you shared could not be listed: the Analyser may not read it. Share it again.';
  }
  if (folders.some(({ outcome }) => outcome.kind !== 'read')) {
    return 'The folder that you shared could not be used: its server gave no listing of it, or others than you may write to it.';
  }
  if (folders.length > 0) {
    return 'You have shared a folder with the Analyser, but no file of readings was found in it.';
  }
  if (gathered.unreadInbox !== null) {
    return 'The inbox of the Analyser could not be read, so what you have shared since was not found. Try again later; the operator of the service has to look at it.';
  }
  return namesOthersOf(gathered, caller)
    ? 'You have shared files with the Analyser, but none that it is set to analyse.'
    : 'You have not shared any readings with the Analyser.';
}

function isUnanswered(outcome: Outcome): boolean {
  return isFor(outcome, 'silence');
}

/** Says why there are no cohort figures, or how many Pods count with earlier figures or do not count yet. */
function explainFigures(
  { conclusion, told }: AnalysisResults,
  { cohort, sharing }: ResultsDocument,
  root: string,
  rules: CohortSharing,
): string {
  if (!sharing.enabled) return '';
  const { settlement, contributors } = conclusion;
  if (told.withheld !== null) {
    return told.withheld.untilConfirmed
      ? 'The figures of the cohort are withheld until the operator of the service has looked at why.'
      : 'No figures of the cohort are sent this time: the log of the service says why.';
  }
  const figures = told.disclose([root]).average_of_averages;
  if (Object.values(figures).every((figure) => figure === null)) {
    const yet = told.release === null ? '' : ' yet';
    return `There are no figures of the cohort${yet}: ${explainTooFew(rules, cohort.pod_count)}.`;
  }
  const carried = cohort.carried_pod_count ?? 0;
  const out = new Set(settlement.notIn);
  const waiting = contributors.filter(
    ({ owner, filesRead }) => filesRead > 0 && out.has(owner.root),
  );
  const all = cohort.pod_count;
  return [
    carried === 0
      ? ''
      : `${carried} of the ${all} Pods could not be read in full and ${carried === 1 ? 'counts' : 'count'} with earlier figures.`,
    waiting.length === 0
      ? ''
      : `${waiting.length} of the ${all} Pods ${waiting.length === 1 ? 'is' : 'are'} not in the figures of the cohort yet, because not all of what they share could be read.`,
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Tells of other people only their number, which the reply holds anyway as pod_count: docs/cohort-release.md. */
function explainTooFew(
  { share_cohort_average: isSending, minimum_cohort_pods: fewest }: CohortSharing,
  pods: number,
): string {
  if (!isSending) return 'the service sends none out';
  if (fewest < 2) return 'too few Pods are behind them';
  return `each takes at least ${fewest} Pods that count, and ${countOf(pods, 'Pod')} ${pods === 1 ? 'is' : 'are'} in this analysis`;
}

function explainSkipped(pod: PodReading, all: number): string {
  if (pod.filesSkipped === 0) return '';
  return `${pod.filesSkipped} of the ${all} files that you shared could not be read${explainUnanswered(pod)}.`;
}

/** Returns the end of a sentence about skipped files. */
function explainUnanswered(pod: PodReading): string {
  const { filesSkipped } = pod;
  const unanswered = filesOf(pod).filter(({ outcome }) => isUnanswered(outcome)).length;
  if (unanswered === 0) return '';
  const which = unanswered === filesSkipped ? '' : ` ${unanswered} of them`;
  return `,${which} because the server gave no answer in time: try again later`;
}

/** Reasons that the owner or the operator can do something about, worded for one file and for several. */
const forms: readonly [ReadonlySet<Because>, string, string][] = [
  [
    new Set(['unreadable']),
    'is encrypted in a way that this version does not know',
    'are encrypted in a way that this version does not know',
  ],
  [
    new Set(['plaintext']),
    'is not encrypted any more, because you share it with everybody',
    'are not encrypted any more, because you share them with everybody',
  ],
  [
    new Set(['too large']),
    'is larger than 4 MB: split it into smaller files',
    'are larger than 4 MB: split them into smaller files',
  ],
  [
    new Set(['writable', 'unproven']),
    'may have been put there by others, who may write to it, perhaps: let the Analyser read it and nothing else',
    'may have been put there by others, who may write to them, perhaps: let the Analyser read them and nothing else',
  ],
  [
    new Set(['foreign key']),
    'does not count, because another Pod used its key before: the operator of the service can settle it',
    'do not count, because another Pod used their keys before: the operator of the service can settle it',
  ],
];

function explainSkippedForms(pod: PodReading | undefined): string {
  const sentences = forms.flatMap(([because, isSo, areSo]) => {
    const count = (pod === undefined ? [] : filesOf(pod)).filter(
      ({ outcome }) => outcome.kind === 'not read' && because.has(outcome.because),
    ).length;
    if (count === 0) return [];
    return [count === 1 ? `One of your files ${isSo}.` : `${count} of your files ${areSo}.`];
  });
  return sentences.join(' ');
}

/** Anybody can name new addresses in somebody's Pod. If there was no time for these, the result is that of the others. */
function explainNotAsked({ filesNotAsked: count }: PodReading): string {
  if (count === 0) return '';
  return `${countOf(count, 'file')} that an entry or a folder of yours names ${count === 1 ? 'was' : 'were'} not asked for, because the time of the analysis was over.`;
}

/** The report if there was no time for all that counted before: an average of only some files would be wrong. */
export function buildLateReport(pod: PodReading, readingSeconds: number): AnalysisReport {
  const all = filesOf(pod).length;
  const asked = `${all - pod.filesNotAsked} of ${all} of your files`;
  return reportWithoutResult(
    'FAILED',
    `The analysis took too long: it read ${asked} in ${countOf(readingSeconds, 'second')}. Call again later. If that does not help, the operator of the service has to raise grpc.analysis_timeout_seconds.`,
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

/** The report of run-once; its run document says everything else. */
export function buildCommonReport(
  { conclusion }: AnalysisResults,
  { run_id, generated_at }: ResultsDocument,
): AnalysisReport {
  const isRead = conclusion.contributors.some(({ filesRead }) => filesRead > 0);
  const status = isRead ? 'COMPLETED' : 'NO_DATA';
  return { ...reportWithoutResult(status, ''), run_id, generated_at };
}
