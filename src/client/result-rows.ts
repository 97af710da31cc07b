import { latestAverage } from '../analysis/home-words.js';
import { type Figures, measureNames, units } from '../analysis/reading.js';
import type { PodAverageDocument } from '../documents/published-document.js';

export const measureColumns = measureNames.map(
  (name) => `${name.replace('_', ' ')} (${units[name]})`,
);

/** `indent` stands before "morning" and "evening", which belong to the average above them. */
export function resultRows(result: PodAverageDocument, own: string, indent: string): string[][] {
  const { average, cohort, pod } = result;
  const latest = latestAverage(pod);
  const row = (label: string, figures: Figures | null) => [label, ...showFigures(figures)];
  return [
    row(own, average),
    ...(latest === null
      ? []
      : [
          row(latest.name.toLowerCase(), latest.days.average),
          row(`${indent}morning`, latest.days.morning),
          row(`${indent}evening`, latest.days.evening),
        ]),
    row('cohort average', cohort.average_of_averages),
    ...(hasNoise(result) ? [row('noise up to ±', result.cohort_noise ?? null)] : []),
  ];
}

function hasNoise({ cohort_noise: noise }: PodAverageDocument): boolean {
  return measureNames.some((name) => typeof noise?.[name] === 'number');
}

/** Explains dashes in general words, because only the reply to the analysis said why a figure is missing. */
export function aboutFigures(result: PodAverageDocument): string[] {
  const { average, cohort, pod } = result;
  const days = latestAverage(pod)?.days;
  const isWithheld = measureNames.some(
    (name) => average[name] !== null && cohort.average_of_averages[name] === null,
  );
  const sentences: [boolean, string][] = [
    [
      days?.morning === null || days?.evening === null,
      'A half of the day has a dash (–) where it has fewer than three readings.',
    ],
    [
      isWithheld,
      'The cohort has a dash (–) where too few Pods have a figure for anybody to be told, or the service sends none now.',
    ],
    [
      hasNoise(result),
      'Random noise was added to the cohort average, so that nobody can be singled out: the true one lies within the noise to either side, nineteen times of twenty.',
    ],
  ];
  return sentences.flatMap(([isSo, sentence]) => (isSo ? sentence : []));
}

export const onlyOne =
  'At this analysis you were the only one who shares readings with this service';

export function showFigures(figures: Figures | null): string[] {
  return measureNames.map((name) => figures?.[name]?.toFixed(1) ?? '–');
}
