import { groupBy } from '../../base/lists.js';
import { countOf, withoutFullStop } from '../../base/sentences.js';
import { allowedOrigin } from '../../config/allowed-origins.js';
import type { Config } from '../../config/schema.js';
import type { ResultsDocument } from '../../documents/results-document.js';
import { isFor, isNotRead, notAsked } from '../../pod/outcome.js';
import { reasons } from '../../pod/reasons.js';
import { type AnalysisReport, reportWithoutResult } from '../analysis-report.js';
import type { PodReading } from '../read/pod-reading.js';
import { hasNoRoom, isGone, isNotAsked } from '../table/fate.js';
import { leavesOut, namesUnanalysed } from '../table/gather-shares.js';
import { askedOf, filesOf, type Row } from '../table/row.js';
import type { AnalysisResults } from './build-run-document.js';

type CohortSharing = Pick<Config['sharing'], 'share_cohort_average' | 'minimum_cohort_pods'>;

/** Step 8: the report for one caller. It must name nobody but the caller and the Analyser. */
export function buildReport(
  results: AnalysisResults,
  document: ResultsDocument,
  caller: string,
  { sharing, grpc }: Pick<Config, 'sharing' | 'grpc'>,
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
      ? [filesSkipped > 0 ? '' : explainNoData(results, caller, { pod, grpc })]
      : [
          explainNotAsked(pod),
          observations === 0 ? 'None of your readings count in this analysis.' : '',
          published
            ? explainCohort(cohort?.failures[caller])
            : explainUnpublished(document.sharing.enabled, own?.failures[caller]),
          explainFigures(results, document, pod.owner.root, sharing),
        ];
  return {
    status: filesRead > 0 ? 'COMPLETED' : 'NO_DATA',
    run_id: document.run_id,
    message: joined([explainSkipped(pod), ...sentences]),
    isPersonal: document.sharing.published.some(({ failures }) => caller in failures),
    result_url: published ? (own?.resource_url ?? '') : '',
    generated_at: document.generated_at,
    pod_count: document.cohort.pod_count,
    observation_count: observations,
    files_read: filesRead,
    files_skipped: filesSkipped,
    published,
  };
}

function joined(sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

const inboxUnread =
  'The inbox of the Analyser could not be read, so what you have shared since was not found. Try again later; the operator of the service has to look at it.';

function explainNoData(
  { gathered }: AnalysisResults,
  caller: string,
  { pod, grpc }: { pod: PodReading | undefined } & Pick<Config, 'grpc'>,
): string {
  const folders = [...(pod?.folders.values() ?? [])].filter((folder) => !isGone(folder));
  if (folders.some(({ outcome }) => outcome.kind !== 'listed')) {
    return 'The folder that you shared could not be used: its server gave no listing of it, or others than you may write to it. Try again later, or share it again, for reading only.';
  }
  if (folders.length > 0) {
    return 'You have shared a folder with the Analyser, but no file of readings was found in it.';
  }
  if (gathered.whyInboxUnread !== null) {
    return inboxUnread;
  }
  // Without the proof anybody could find out whom the operator leaves out.
  if (grpc.require_web_id_proof && leavesOut(gathered, caller)) {
    return 'The operator of the service leaves your Pod out (data.excluded_pods), so nothing of yours is read.';
  }
  return namesUnanalysed(gathered, caller)
    ? 'You have shared files with the Analyser, but none that it is set to analyse.'
    : 'You have not shared any readings with the Analyser.';
}

/** Says why there are no cohort figures, or how many Pods count with earlier figures or do not count yet. */
function explainFigures(
  { conclusion }: AnalysisResults,
  { cohort, sharing }: ResultsDocument,
  root: string,
  rules: CohortSharing,
): string {
  if (!sharing.enabled) return '';
  const { told } = conclusion;
  if (told.withheld !== null) {
    return told.withheld.until_confirmed
      ? 'The figures of the cohort are withheld until the operator of the service has looked at why.'
      : 'No figures of the cohort are sent this time: the log of the service says why.';
  }
  const figures = told.disclose([root]).average_of_averages;
  if (Object.values(figures).every((figure) => figure === null)) {
    const yet = told.release === null ? '' : ' yet';
    return `There are no figures of the cohort${yet}: ${explainTooFew(rules, cohort.pod_count)}.`;
  }
  const carried = cohort.carried_pod_count ?? 0;
  const out = conclusion.contributors.filter(
    ({ filesRead, standing }) => filesRead > 0 && standing.kind === 'out',
  ).length;
  const some = (count: number, verb: string, rest: string) =>
    count === 0 ? [] : [`${count} of them ${verb}${rest}`];
  const counts = [
    ...some(carried, carried === 1 ? 'counts' : 'count', ' with earlier figures'),
    ...some(out, out === 1 ? 'does' : 'do', ' not count yet'),
  ];
  if (counts.length === 0) return '';
  return `Not all of the ${cohort.pod_count} Pods could be read in full: ${counts.join(', and ')}.`;
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

function explainSkipped(pod: PodReading | undefined): string {
  if (pod === undefined || pod.filesSkipped === 0) return '';
  const { filesRead, filesSkipped } = pod;
  const ofFiles = filesOf(pod).flatMap((file) => {
    const { outcome } = file;
    if (outcome.kind === 'read') return [];
    const { owner } = reasons[outcome.because];
    const isShut = outcome.key === undefined && !isTriedForeign(file);
    const isTold = owner === 'told' || (owner === 'told unless a key opens it' && isShut);
    return isTold ? [outcome.reason] : [];
  });
  return joined([
    `${filesSkipped} of the ${filesRead + filesSkipped} files that you shared do not count in this result.`,
    ...Array.from(
      groupBy(ofFiles, (reason) => reason),
      ([reason, all]) => `${countOf(all.length, 'file')}: ${reason}.`,
    ),
  ]);
}

/** Whether keys of its own were tried before: then the reason would tell that they open no text. */
function isTriedForeign({ outcome, keys, folder }: Row): boolean {
  return isFor(outcome, 'foreign key') && (keys.length > 0 || (folder?.keys.length ?? 0) > 0);
}

/** Anybody can name new addresses: until all were asked for, the result is that of the files that counted before. */
function explainNotAsked({ filesNotAsked, filesNotYet }: PodReading): string {
  if (filesNotAsked === 0) return '';
  const together = `New files count from the first analysis that has time for all of them: ${countOf(filesNotAsked, 'file')} could not be asked for`;
  return filesNotYet === 0
    ? `${together}.`
    : `${together}, and ${countOf(filesNotYet, 'other')} that could be read ${filesNotYet === 1 ? 'waits' : 'wait'} for them.`;
}

/** If not all was asked for that a result rests on: an average of only some files would be wrong. */
export function buildUnfinishedReport(
  pod: PodReading,
  readingSeconds: number,
  { data }: Pick<Config, 'data'>,
): AnalysisReport {
  const asked = askedOf(pod);
  const reasons = asked.flatMap(({ outcome }) =>
    isNotRead(outcome) && (isNotAsked({ outcome }) || hasNoRoom({ outcome }))
      ? [outcome.reason]
      : [],
  );
  if (reasons.length === 0) return reportWithoutResult('FAILED', inboxUnread);
  const other = reasons.find((reason) => reason !== notAsked.reason);
  if (other !== undefined) {
    const message = `Your Pod cannot be read as a whole, because ${other}. An average of some of your files would be wrong.`;
    return reportWithoutResult('FAILED', message);
  }
  const what = pod.folders.size === 0 ? 'files' : 'files and folders';
  const done = `${asked.length - reasons.length} of ${asked.length} of your ${what}`;
  const { origin } = new URL(pod.owner.root);
  const isElsewhere = allowedOrigin(data, origin) !== undefined;
  const limit = isElsewhere
    ? `the seconds of ${origin} in data.allowed_origins`
    : 'grpc.analysis_timeout_seconds';
  const message = `The analysis took too long: it asked for ${done} in ${countOf(readingSeconds, 'second')}, and an average of some of them would be wrong. Call again later. If that does not help, the operator of the service has to raise ${limit}.`;
  // The host of another server can be that of one Pod.
  return { ...reportWithoutResult('FAILED', message), isPersonal: isElsewhere };
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

/** For run-once, whose run document says everything else. */
export function buildCommonReport(
  { conclusion }: AnalysisResults,
  { run_id, generated_at }: ResultsDocument,
): AnalysisReport {
  const isRead = conclusion.contributors.some(({ filesRead }) => filesRead > 0);
  const status = isRead ? 'COMPLETED' : 'NO_DATA';
  return { ...reportWithoutResult(status, ''), run_id, generated_at };
}
