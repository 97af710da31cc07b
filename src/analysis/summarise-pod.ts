import { figuresOf } from './figures.js';
import { summariseMeasure } from './measure-aggregate.js';
import type { AnalysisRules, PodAggregate } from './pod-aggregate.js';
import type { PodSummary } from './summary.js';

/** What all files of one Pod together say. */
export function summarisePod(
  { counted, first, last, measures, leftOut }: PodAggregate,
  { windowDays }: Pick<AnalysisRules, 'windowDays'>,
): PodSummary {
  const { incomplete, implausible, undated, outsideWindow } = leftOut;
  const window = `the last ${amount(windowDays ?? 0, 'day')}`;
  const notes = [
    note(incomplete, ['entry has', 'entries have'], 'no systolic or no diastolic value'),
    note(implausible, ['reading is', 'readings are'], 'outside the plausible limits'),
    note(undated, ['reading has', 'readings have'], 'no known time'),
    note(outsideWindow, ['reading is', 'readings are'], `not from ${window}`),
  ];
  return {
    observation_count: counted,
    first_observation: timestamp(first),
    last_observation: timestamp(last),
    measures: figuresOf((name) => summariseMeasure(measures[name])),
    notes: notes.flat(),
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
