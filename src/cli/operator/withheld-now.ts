import type { WithheldRecord } from '../../documents/results-document.js';
import type { Memory } from '../../memory/memory.js';
import type { ResultsStore } from '../../store/results-store.js';

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
