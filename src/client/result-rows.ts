import { latestAverage } from '../analysis/home-words.js';
import { type Figures, measureNames } from '../analysis/reading.js';
import type { PodAverageDocument } from '../documents/published-document.js';

/** One row of a table of averages; "morning" and "evening" belong to the average above them. */
export interface ResultRow {
  label: string;
  isHalfOfDay: boolean;
  /** Null if that half of the day has too few readings. */
  figures: Figures | null;
}

/** `own` is the name of the average of all readings. */
export function resultRows({ average, cohort, pod }: PodAverageDocument, own: string): ResultRow[] {
  const latest = latestAverage(pod);
  const row = (label: string, figures: Figures | null, isHalfOfDay = false) => ({
    label,
    isHalfOfDay,
    figures,
  });
  return [
    row(own, average),
    ...(latest === null
      ? []
      : [
          row(latest.name.toLowerCase(), latest.days.average),
          row('morning', latest.days.morning, true),
          row('evening', latest.days.evening, true),
        ]),
    row('cohort average', cohort.average_of_averages),
  ];
}

/**
 * Explains dashes in general words, because the document does not say why a figure is missing. Only the reply to the
 * analysis said it.
 */
export function whyDashes({ average, cohort, pod }: PodAverageDocument): string[] {
  const days = latestAverage(pod)?.days;
  const isWithheld = measureNames.some(
    (name) => average[name] !== null && cohort.average_of_averages[name] === null,
  );
  return [
    ...(days?.morning === null || days?.evening === null
      ? ['A half of the day has a dash (–) where it has fewer than three readings.']
      : []),
    ...(isWithheld
      ? [
          'The cohort has a dash (–) where too few Pods have a figure for anybody to be told, or the service sends none now.',
        ]
      : []),
  ];
}

export const onlyOne = 'So far you are the only one who shares readings with this service';

export function showFigure(figure: number | null): string {
  return figure === null ? '–' : figure.toFixed(1);
}
