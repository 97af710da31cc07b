import { measureNames } from '../../analysis/reading.js';
import { budgetUsedUpUntil } from '../../analysis/release/noise.js';
import { countOf } from '../../base/sentences.js';
import { formatUtc } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { ResultsDocument, WithheldRecord } from '../../documents/results-document.js';
import { withheldWarning } from '../../documents/withheld.js';
import type { Memory } from '../../memory/memory.js';
import { releaseRules } from '../../run/conclude/release-figures.js';
import type { ResultsStore } from '../../store/results-store.js';

export function describeRelease(
  { sharing }: Pick<Config, 'sharing'>,
  withheld: WithheldRecord | null,
  { releases }: Pick<Memory, 'releases'>,
  now: Date,
): string {
  if (!sharing.enabled) return 'Callers are sent nothing, because sharing.enabled is false.';
  if (!sharing.share_cohort_average) {
    return 'Callers are sent no figures of the cohort, because sharing.share_cohort_average is false.';
  }
  if (withheld !== null) return withheldWarning(withheld);
  const rules = releaseRules({ sharing });
  if (rules === null) {
    return 'Callers are sent the exact figures of the cohort, because sharing.cohort_release is not set.';
  }
  const { epsilon, everyDays, budget, perDays } = rules;
  const last = releases.at(-1);
  const when = last === undefined ? 'none so far' : `the last of ${timeOf(last.releasedAt)}`;
  const until = budgetUsedUpUntil(releases, now.getTime(), rules);
  const spent = until === null ? 'not used up' : `used up until ${timeOf(until)}`;
  return `Callers are sent figures of the cohort with noise (epsilon ${epsilon}) every ${countOf(everyDays, 'day')}, ${when}; the budget of ${budget} in ${countOf(perDays, 'day')} is ${spent}.`;
}

/** The figures of the last analysis as callers see them by this configuration; null where nobody was sent any. */
export function describeLastSent(
  { sharing }: Pick<Config, 'sharing'>,
  { generated_at, cohort, pods, sharing: sent }: ResultsDocument,
): string | null {
  const isSent = sent.published.some(({ recipients }) => recipients.length > 0);
  if (!isSent || !sharing.share_cohort_average || sent.cohort_withheld !== undefined) return null;
  const { cohort_release: release } = sent;
  const figures = measureNames.map((name) => {
    const behind = pods.filter(
      (pod) => pod.included_in_cohort && (pod.carried ?? pod).measures[name].count > 0,
    );
    const isTold = behind.length >= Math.max(2, sharing.minimum_cohort_pods);
    const exact = isTold ? cohort.average_of_averages[name] : null;
    const figure = release === undefined ? exact : release.average_of_averages[name];
    const noise = release?.noise?.[name] ?? '';
    return `${name.replace('_', ' ')} ${figure?.toFixed(1) ?? '–'}${noise && ` ± ${noise}`}`;
  });
  return `Sent by the analysis of ${generated_at}: ${figures.join(', ')}.`;
}

function timeOf(milliseconds: number): string {
  return formatUtc(new Date(milliseconds));
}

/** Why callers are sent no figures of the cohort: until the operator confirms, or so the last analysis found. */
export async function withheldNow(
  { withheld }: Pick<Memory, 'withheld'>,
  results: Pick<ResultsStore, 'readLatest'>,
): Promise<WithheldRecord | null> {
  if (withheld !== null) return { reason: withheld, until_confirmed: true };
  const latest = await results.readLatest();
  const found = latest.state === 'found' ? latest.document.sharing.cohort_withheld : undefined;
  return found?.until_confirmed === false ? found : null;
}
