import { describeHome } from '../../src/analysis/home-words.js';
import type { PodEntry } from '../../src/documents/results-document.js';
import { formatDay } from '../format/format-time.js';

export type Home = NonNullable<PodEntry['home']>;

/** What a home average rests on, and what is missing where that is too little. */
export function homeSentence(home: Home): string {
  // Days of the wall clock that the readings show, whatever the zone of who looks.
  return describeHome(home, (day) => formatDay(day, 'UTC'));
}
