import { type Figures, figuresOf } from '../analysis/figures.js';
import type { Reading } from '../analysis/reading.js';
import type { ChartDocument } from '../documents/chart-document.js';
import { type PlotBox, pixelsAcross, plotBox } from './chart-layout.js';
import { type Axis, horizontalAxis } from './horizontal-axis.js';
import { gutterFor } from './reference-labels.js';
import { rollingMeans } from './rolling-means.js';

export interface ChartInput {
  /** In any order; readings without a time are drawn in the order given. */
  readings: readonly Reading[];
  own: Figures;
  /** Null figures have no line; null altogether when the cohort is not shared. */
  cohort: Figures | null;
}

export interface ChartPlan {
  /** All that is drawn. */
  figures: ChartDocument;
  axis: Axis;
  /** The times of the first and the last reading; null when none has a time. */
  span: readonly [number, number] | null;
  box: PlotBox;
}

/** What the picture of these readings draws, as figures, and where. */
export function planChart({ readings, own, cohort }: ChartInput): ChartPlan {
  // Nothing is said of a measure that no reading has.
  const drawn = (averages: Figures | null): Figures =>
    figuresOf((name) =>
      readings.some((reading) => reading[name] !== null) ? (averages?.[name] ?? null) : null,
    );
  const { points, span, axis } = horizontalAxis(readings);
  const common = {
    schema_version: 1,
    positions: span === null ? 'order' : 'time',
    reading_count: readings.length,
    undated_count: readings.length - points.length,
    own: drawn(own),
    cohort: drawn(cohort),
  } as const;
  const box = plotBox({ left: gutterFor(common.cohort), right: gutterFor(common.own) });
  // More readings than pixels would be drawn as noise: a rolling mean is drawn instead.
  const figures: ChartDocument =
    points.length > pixelsAcross(box)
      ? { ...common, drawn: 'rolling_mean', points: rollingMeans(points, axis.min, axis.max) }
      : { ...common, drawn: 'readings', points };
  return { figures, axis, span, box };
}
