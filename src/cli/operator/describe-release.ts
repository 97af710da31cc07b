import { budgetUsedUpUntil } from '../../analysis/release/noise.js';
import { countOf } from '../../base/sentences.js';
import { formatUtc } from '../../base/utc-time.js';
import type { Config } from '../../config/schema.js';
import type { WithheldRecord } from '../../documents/results-document.js';
import { withheldWarning } from '../../documents/withheld.js';
import type { Memory } from '../../memory/memory.js';
import { releaseRules } from '../../run/conclude/release-figures.js';
import type { ResultsStore } from '../../store/results-store.js';

/** Which cohort figures callers are sent. */
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
