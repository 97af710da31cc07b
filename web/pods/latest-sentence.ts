import { describeLatest } from '../../src/analysis/home-words.js';
import type { PodEntry } from '../../src/documents/results-document.js';
import { formatDay } from '../format/format-time.js';

/** What the home average rests on, or the recent one; null where there is neither. */
export function latestSentence(pod: PodEntry): string | null {
  // Days of the wall clock that the readings show, whatever the zone of who looks.
  return describeLatest(pod, (day) => formatDay(day, 'UTC'));
}
