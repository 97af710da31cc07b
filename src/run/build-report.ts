import type { ResultsDocument } from '../documents/results-document.js';
import { canonicalRoot } from '../pod/addresses.js';
import { type AnalysisReport, reportWithoutResult } from '../queue/analysis-report.js';
import type { AnalysisResults } from './build-results.js';
import { isPartial } from './read/partial-cohort.js';
import type { PodResult } from './read/pod-result.js';

/** Step 8: the report for one caller. It names nobody but the caller and the Analyser. */
export function buildReport(
  results: AnalysisResults,
  document: ResultsDocument,
  caller: string,
): AnalysisReport {
  const { pods, unansweredPods } = results;
  const pod = pods.find(({ owner }) => owner.webId === caller);
  const filesRead = pod?.filesRead ?? 0;
  const filesSkipped = pod?.filesSkipped ?? 0;
  const own = document.sharing.published.find(({ kind }) => kind === 'pod-average');
  const published = own?.recipients.includes(caller) ?? false;
  const cohort = document.sharing.published.find(({ kind }) => kind === 'cohort-average');
  const observations = pod?.summary.observation_count ?? 0;
  const sentences =
    filesRead === 0
      ? [explainNoData(results, caller, pod), explainReadOnly(pod)]
      : [
          explainSkipped(pod, filesRead + filesSkipped),
          explainReadOnly(pod),
          isPartial(unansweredPods) ? partialCohort : '',
          observations === 0 ? 'None of your readings count in this analysis.' : '',
          published
            ? explainCohort(cohort?.failures[caller])
            : explainUnpublished(document.sharing.enabled, own?.failures[caller]),
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
  { pods, shares }: AnalysisResults,
  caller: string,
  pod: PodResult | undefined,
): string {
  if (pod !== undefined && pod.filesSkipped > 0) {
    const sentence =
      pod.filesSkipped === 1
        ? 'The one file that you shared could not be read'
        : `None of the ${pod.filesSkipped} files that you shared could be read`;
    return `${sentence}${explainUnanswered(pod)}.`;
  }
  const root = canonicalRoot(caller) ?? caller;
  const namesake = pods.find(({ owner }) => owner.root === root)?.owner.webId ?? caller;
  if (namesake !== caller) {
    return `Your readings are shared as those of ${namesake}, which is spelled differently from ${caller}: call with that WebID, or take them back and share them again under this one.`;
  }
  const isOwn = (url: string) => url.startsWith(root);
  if (shares.displacedPods.includes(root)) {
    return 'You have shared readings, but they were left out, because another Pod goes by the same pod_id as yours. Only the operator of the service can tell which.';
  }
  const unlisted = shares.unlistedFolders.filter(({ url }) => isOwn(url));
  if (unlisted.some(({ isUnanswered }) => isUnanswered)) {
    return 'The folder that you shared could not be listed, because its server gave no answer. Try again later.';
  }
  if (unlisted.length > 0) {
    return 'The folder that you shared could not be listed: the Analyser may not read it. Share it again.';
  }
  if ([...shares.folderKeys.keys()].some(isOwn)) {
    return 'You have shared a folder with the Analyser, but no file of readings was found in it.';
  }
  return shares.notWanted.some(isOwn)
    ? 'You have shared files with the Analyser, but none that it is set to analyse.'
    : 'You have not shared any readings with the Analyser.';
}

const partialCohort =
  'The figures of the cohort are partial: the files of several contributors could not be fetched. ' +
  'Try again later.';

function explainSkipped(pod: PodResult | undefined, all: number): string {
  if (pod === undefined || pod.filesSkipped === 0) return '';
  return `${pod.filesSkipped} of the ${all} files that you shared could not be read${explainUnanswered(pod)}.`;
}

/** The end of a sentence. */
function explainUnanswered({ filesSkipped, unanswered }: PodResult): string {
  if (unanswered === 0) return '';
  const which = unanswered === filesSkipped ? '' : ` ${unanswered} of them`;
  return `,${which} because the server gave no answer: try again later`;
}

/** A Pod that lets the Analyser write may let others write as well, which it cannot see. */
function explainReadOnly(pod: PodResult | undefined): string {
  if (pod === undefined || pod.readOnlyWanted === 0) return '';
  return (
    'Files that the Analyser may change do not count, because others may be able to change them ' +
    'too. Grant it read access only.'
  );
}

function explainUnpublished(isEnabled: boolean, failure: string | undefined): string {
  if (!isEnabled) return 'Nothing was published: the service runs without sharing results.';
  const reason = (failure ?? 'no reason is known').replace(/\.$/, '');
  return `The figures are ready but did not reach your Pod: ${reason}.`;
}

function explainCohort(failure: string | undefined): string {
  if (failure === undefined) return '';
  const reason = failure.replace(/\.$/, '');
  return `Your own result has reached your Pod, but the document of the cohort has not: ${reason}.`;
}

/** That of run-once, whose results document says everything else. */
export function buildCommonReport(
  { read }: AnalysisResults,
  { run_id, generated_at }: ResultsDocument,
): AnalysisReport {
  const status = read.length > 0 ? 'COMPLETED' : 'NO_DATA';
  return { ...reportWithoutResult(status, '', run_id), generated_at };
}
