import { figuresOf } from '../analysis/figures.js';
import type { Figures } from '../analysis/summary.js';
import type { ChartDocument, ReadingPoint } from '../documents/chart-document.js';
import type { ChartInput } from './chart-input.js';
import { planChart } from './chart-plan.js';
import { rollingMeans } from './rolling-means.js';

/** What the picture of these readings draws, as figures, and no more than that. */
export function chartFigures(input: ChartInput): ChartDocument {
  const { names, horizontal, banded } = planChart(input);
  const { readings, positions, min, max } = horizontal;
  const drawn = (averages: Figures | null): Figures =>
    figuresOf((name) => (names.includes(name) ? (averages?.[name] ?? null) : null));
  const common = {
    schema_version: 1,
    positions: readings.every(({ time }) => time === null) ? 'order' : 'time',
    reading_count: input.readings.length,
    undated_count: input.readings.length - readings.length,
    own: drawn(input.own),
    cohort: drawn(input.cohort),
  } as const;
  const points = readings.map(({ systolic, diastolic, heart_rate }, index): ReadingPoint => {
    return { at: positions[index] ?? 0, systolic, diastolic, heart_rate };
  });
  return banded
    ? { ...common, drawn: 'rolling_mean', points: rollingMeans(points, min, max) }
    : { ...common, drawn: 'readings', points };
}
