import { formatClock, formatDayOfYear, formatMonth, formatYear } from './calendar.js';

export interface Tick {
  at: number;
  label: string;
}

interface Step {
  /** About how long it is, in milliseconds. */
  length: number;
  /** The first round moment at or after `time`. */
  ceil: (time: number) => number;
  fine: (time: number) => string;
  coarse: (time: number) => string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365.25 * day;

const steps: Step[] = [
  ...[1, 5, 15, 30].map((count) => clockStep(count * minute)),
  ...[1, 2, 3, 6, 12].map((count) => clockStep(count * hour)),
  ...[1, 2, 3, 7, 14].map(dayStep),
  ...[1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000].map(monthStep),
];

/**
 * Round moments between two times, at most `most` of them. The second line of a label says
 * the day or the year, on the first tick and wherever it changes.
 */
export function timeTicks(first: number, last: number, most: number): Tick[] {
  const step =
    steps.find(({ length }) => (last - first) / length <= most - 1) ?? monthStep(120_000);
  const ticks: Tick[] = [];
  let previous = '';
  for (let at = step.ceil(first); at <= last; at = step.ceil(at + 1)) {
    const coarse = step.coarse(at);
    ticks.push({ at, label: coarse === previous ? step.fine(at) : `${step.fine(at)}\n${coarse}` });
    previous = coarse;
  }
  return ticks;
}

function clockStep(length: number): Step {
  const ceil = (time: number) => Math.ceil(time / length) * length;
  return { length, ceil, fine: formatClock, coarse: formatDayOfYear };
}

function dayStep(count: number): Step {
  const length = count * day;
  const ceil = (time: number) => Math.ceil(time / length) * length;
  return { length, ceil, fine: formatDayOfYear, coarse: formatYear };
}

function monthStep(count: number): Step {
  // Not Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  const start = (month: number) => new Date(0).setUTCFullYear(0, month, 1);
  const ceil = (time: number) => {
    const date = new Date(time);
    const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
    const begun = Math.floor(month / count) * count;
    return start(begun) >= time ? start(begun) : start(begun + count);
  };
  const byYear = count >= 12;
  return {
    length: (count / 12) * year,
    ceil,
    fine: byYear ? formatYear : formatMonth,
    coarse: byYear ? () => '' : formatYear,
  };
}
