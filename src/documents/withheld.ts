import { withoutFullStop } from '../base/sentences.js';
import type { WithheldRecord } from './results-document.js';

/** Why callers get no figures of the cohort, and what the operator does about it. */
export function describeWithheld({ reason, until_confirmed }: WithheldRecord): string {
  const why = `${withoutFullStop(reason)}.`;
  if (!until_confirmed) return why;
  return `${why} Find out why, then run the mode \`release\` with --confirm to send out figures again.`;
}

export function withheldWarning(withheld: WithheldRecord): string {
  return `Cohort figures are withheld: ${describeWithheld(withheld)}`;
}
