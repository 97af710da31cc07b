import { countOf } from '../base/sentences.js';
import { describePeriod } from '../base/study-period.js';
import { byMeasure } from './reading.js';
import { formatReadingTime } from './reading-time.js';
import type { AnalysisRules, ReadingSums } from './sums.js';
import { summariseMeasure } from './sums.js';

export type PodSummary = ReturnType<typeof summarisePod>;

export function summarisePod(
  { count, first, last, measures, leftOut }: ReadingSums,
  rules: Pick<AnalysisRules, 'windowDays' | 'period'>,
) {
  const { incomplete, implausible, undated, outsideWindow } = leftOut;
  const notes = [
    note(incomplete, ['reading has', 'readings have'], 'no systolic or no diastolic value'),
    note(implausible, ['reading is', 'readings are'], 'outside the plausible limits'),
    note(undated, ['reading has', 'readings have'], 'no known time'),
    note(outsideWindow, ['reading is', 'readings are'], `not from ${timeThatCounts(rules)}`),
  ];
  return {
    observation_count: count,
    first_observation: first && formatReadingTime(first),
    last_observation: last && formatReadingTime(last),
    measures: byMeasure((name) => summariseMeasure(measures[name])),
    notes: notes.flat(),
  };
}

function timeThatCounts({ windowDays, period }: Pick<AnalysisRules, 'windowDays' | 'period'>) {
  return [
    ...(windowDays === null ? [] : [`the last ${countOf(windowDays, 'day')}`]),
    ...(period === null ? [] : [`the study period (${describePeriod(period)})`]),
  ].join(' within ');
}

function note(count: number, [one, many]: [string, string], reason: string): string[] {
  if (count === 0) return [];
  return [
    `${count} ${count === 1 ? `${one} ${reason} and was` : `${many} ${reason} and were`} left out.`,
  ];
}
