import { figuresOf } from './figures.js';
import { summariseMeasure } from './measure-summary.js';
import type { ParsedReadings } from './parse-readings.js';
import { isPlausible, type PlausibleLimits } from './plausible.js';
import type { MeasureName, Reading } from './reading.js';
import type { PodSummary } from './summary.js';

export interface AnalysisRules {
  /** Milliseconds since the epoch. */
  now: number;
  /** Null: all history counts. */
  windowDays: number | null;
  plausible: PlausibleLimits;
}

const day = 24 * 60 * 60 * 1000;

/**
 * What all files of one Pod together say. `counted` are the readings behind the figures,
 * which are therefore the ones to draw.
 */
export function summarisePod(
  { readings, incomplete }: ParsedReadings,
  rules: AnalysisRules,
): { summary: PodSummary; counted: Reading[] } {
  const plausible = readings.filter((reading) => isPlausible(reading, rules.plausible));
  const dated = plausible.filter(({ time }) => rules.windowDays === null || time !== null);
  const counted = dated.filter(({ time }) => isInWindow(time, rules));
  const window = `the last ${amount(rules.windowDays ?? 0, 'day')}`;
  const notes = [
    note(incomplete, ['entry has', 'entries have'], 'no systolic or no diastolic value'),
    note(
      readings.length - plausible.length,
      ['reading is', 'readings are'],
      'outside the plausible limits',
    ),
    note(plausible.length - dated.length, ['reading has', 'readings have'], 'no known time'),
    note(dated.length - counted.length, ['reading is', 'readings are'], `not from ${window}`),
  ];
  return { summary: summarise(counted, notes.flat()), counted };
}

/**
 * A wall clock without an offset is read as UTC, so that a reading of this minute can seem
 * up to 14 hours ahead: a day ahead is still recent, more is a wrong clock.
 */
function isInWindow(time: number | null, { now, windowDays }: AnalysisRules): boolean {
  if (windowDays === null) return true;
  return time !== null && time >= now - windowDays * day && time <= now + day;
}

function summarise(readings: Reading[], notes: string[]): PodSummary {
  let first: number | null = null;
  let last: number | null = null;
  for (const { time } of readings) {
    if (time === null) continue;
    first = Math.min(first ?? time, time);
    last = Math.max(last ?? time, time);
  }
  const measure = (name: MeasureName) =>
    summariseMeasure(readings.map((reading) => reading[name]).filter((value) => value !== null));
  return {
    observation_count: readings.length,
    first_observation: timestamp(first),
    last_observation: timestamp(last),
    measures: figuresOf(measure),
    notes,
  };
}

function note(count: number, [one, many]: [string, string], reason: string): string[] {
  if (count === 0) return [];
  return [
    `${count} ${count === 1 ? `${one} ${reason} and was` : `${many} ${reason} and were`} left out.`,
  ];
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function timestamp(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString().replace('Z', '+00:00');
}
