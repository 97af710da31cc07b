import { withoutFullStop } from '../base/sentences.js';
import type { ResultsDocument } from './results-document.js';

const prefix = 'Cohort figures are withheld: ';

/** For the operator: what the mode `release` is for. */
export function withheldWarning(reason: string): string {
  return `Cohort figures are withheld: ${withoutFullStop(reason)}. Find out why, then run the mode \`release\` with --confirm to send out figures again.`;
}

/** Why the callers of this run got no figures of the cohort; null if nothing was withheld. */
export function whyWithheld({ warnings, sharing }: Pick<ResultsDocument, 'warnings' | 'sharing'>): {
  text: string;
  /** Whether they stay withheld until the operator confirms. */
  untilConfirmed: boolean;
} | null {
  const warning = warnings.find((text) => text.startsWith(prefix));
  if (warning !== undefined) return { text: warning.slice(prefix.length), untilConfirmed: true };
  const reason = sharing.cohort_release?.withheld ?? null;
  return reason === null ? null : { text: `${reason}.`, untilConfirmed: false };
}
