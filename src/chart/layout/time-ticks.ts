import { formatClock, formatDayOfYear, formatMonth, formatYear } from './calendar.js';

export interface Tick {
  at: number;
  label: string;
}

/** Moments that are numbered through: midnights, or the first of every third month. */
interface Step {
  /** About how far they are from each other, in milliseconds. */
  length: number;
  /** The number of the last one up to a time. */
  numberAt: (time: number) => number;
  at: (number: number) => number;
  fine: (time: number) => string;
  coarse: (time: number) => string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const month = (365.25 / 12) * day;

const ofClock = { fine: formatClock, coarse: formatDayOfYear };
const ofDays = { fine: formatDayOfYear, coarse: formatYear };
const ofMonths = { fine: formatMonth, coarse: formatYear };
const ofYears = { fine: formatYear, coarse: () => '' };

const steps: Step[] = [
  ...[1, 5, 15, 30].map((count) => equalSteps(count * minute, ofClock)),
  ...[1, 2, 3, 6, 12].map((count) => equalSteps(count * hour, ofClock)),
  ...[1, 2, 3, 7, 14].map((count) => equalSteps(count * day, ofDays)),
  ...[1, 2, 3, 6].map((count) => stepsOfMonths(count, ofMonths)),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((years) => stepsOfMonths(12 * years, ofYears)),
];
const longestStep = stepsOfMonths(12 * 10_000, ofYears);

function equalSteps(length: number, labels: Pick<Step, 'fine' | 'coarse'>): Step {
  return {
    length,
    numberAt: (time) => Math.floor(time / length),
    at: (number) => number * length,
    ...labels,
  };
}

function stepsOfMonths(count: number, labels: Pick<Step, 'fine' | 'coarse'>): Step {
  return {
    length: count * month,
    numberAt(time) {
      const date = new Date(time);
      return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / count);
    },
    at: (number) => new Date(0).setUTCFullYear(0, number * count, 1),
    ...labels,
  };
}

/**
 * Round moments between two times, about `most` of them and at most one more, for months differ in
 * length. The second line of a label says the day or the year, on the first tick and wherever it changes.
 */
export function timeTicks(first: number, last: number, most: number): Tick[] {
  const step = steps.find(({ length }) => (last - first) / length <= most - 1) ?? longestStep;
  const ticks: Tick[] = [];
  let previous = '';
  for (let number = step.numberAt(first); step.at(number) <= last; number += 1) {
    const at = step.at(number);
    if (at < first) continue;
    const coarse = step.coarse(at);
    ticks.push({ at, label: coarse === previous ? step.fine(at) : `${step.fine(at)}\n${coarse}` });
    previous = coarse;
  }
  return ticks;
}
