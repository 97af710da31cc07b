import { describeHomeDays, describeShortage } from '../../src/analysis/home-words.js';
import type { PodEntry } from '../../src/documents/results-document.js';
import { formatDay } from '../format/format-time.js';

export type Home = NonNullable<PodEntry['home']>;

/** What a home average rests on, and what is missing where that is too little. */
export function describeHome(home: Home): string {
  // Days of the wall clock that the readings show, whatever the zone of who looks.
  const days = describeHomeDays(home, (day) => formatDay(day, 'UTC'));
  const shortage = describeShortage(home);
  return `Home average: ${days}${shortage === null ? '' : `; ${shortage}`}.`;
}
