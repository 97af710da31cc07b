import type { PodRecord, ResultsDocument } from '../documents/results-document.js';
import { counted, day, number } from './words.js';

/** How a Pod stands in the averages of its run: in with all that it shares, in with earlier figures, or out. */
export function standingOf(
  { included_in_cohort, carried, observation_count }: PodRecord,
  { minimum_observations }: ResultsDocument['analysis'],
): { state: 'whole' | 'carried' | 'out'; why: string } {
  if (included_in_cohort && carried === undefined) return { state: 'whole', why: '' };
  if (included_in_cohort) {
    return { state: 'carried', why: `with figures of ${day(carried?.from ?? null)}` };
  }
  const count = carried?.observation_count ?? observation_count;
  const least = Math.max(1, minimum_observations);
  if (count >= least) return { state: 'out', why: 'not all could be read' };
  return { state: 'out', why: `${number(count)} of ${counted(least, 'reading')}` };
}

/** `Yes`, `No, 2 of 5 readings` */
export function describeStanding(pod: PodRecord, analysis: ResultsDocument['analysis']): string {
  const { state, why } = standingOf(pod, analysis);
  return [state === 'out' ? 'No' : 'Yes', ...(why === '' ? [] : [why])].join(', ');
}
