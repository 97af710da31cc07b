import type { ResultsDocument } from './results-document.js';

/** How the warning begins that tells the operator why callers get no figures of the cohort until it is confirmed. */
const WITHHELD = 'Cohort figures are withheld: ';

/** Why the callers of this run got no figures of the cohort; null if nothing was withheld. */
export function whyWithheld({ warnings, sharing }: Pick<ResultsDocument, 'warnings' | 'sharing'>): {
  text: string;
  /** Whether they stay withheld until the operator confirms. */
  untilConfirmed: boolean;
} | null {
  const warning = warnings.find((text) => text.startsWith(WITHHELD));
  if (warning !== undefined) return { text: warning.slice(WITHHELD.length), untilConfirmed: true };
  const reason = sharing.cohort_release?.withheld ?? null;
  return reason === null ? null : { text: `${reason}.`, untilConfirmed: false };
}
