import { type Figures, figuresOf } from '../analysis/figures.js';
import { averagesOfLatest, homeReadings } from '../analysis/home.js';
import { type Reading, wallClock } from '../analysis/reading.js';
import type { StudyPeriod } from '../base/study-period.js';
import { axisEnds } from './axes.js';
import type { ChartFigures, ReadingPoint } from './chart-figures.js';
import { pixelsAcross, plotOf } from './plot.js';
import { rollingMeans } from './rolling-means.js';

export interface ChartInput {
  /** If no reading has a date, the readings are drawn in this order. Otherwise the order does not matter. */
  readings: readonly Reading[];
  own: Figures;
  /** No line is drawn for a figure that is null. */
  cohort: Figures;
  period?: StudyPeriod | null;
}

export interface ChartPlan {
  /** What the picture draws in the plot. */
  figures: ChartFigures;
  /** The average of the week that the picture marks; null if there is none. */
  home: Figures | null;
  /** The times of the first and the last reading, by their clocks; null if no reading has a date. */
  span: readonly [first: number, last: number] | null;
}

/** Works out the figures that the picture of these readings draws. */
export function planChart({ readings, own, cohort, period = null }: ChartInput): ChartPlan {
  // A measure that no reading has is left out.
  const drawn = (averages: Figures): Figures =>
    figuresOf((name) =>
      readings.some((reading) => reading[name] !== null) ? averages[name] : null,
    );
  const { points, span } = placed(readings);
  const week = placed(homeReadings(readings)).span;
  const figures = {
    positions: span === null ? ('order' as const) : ('time' as const),
    reading_count: readings.length,
    undated_count: readings.length - points.length,
    ...(week !== null && { home: { from: week[0], to: week[1] } }),
    ...(period !== null && { period }),
    own: drawn(own),
    cohort: drawn(cohort),
    drawn: 'readings' as const,
    points,
  };
  const home = averagesOfLatest(readings).home?.average ?? null;
  if (points.length <= pixelsAcross(plotOf(figures))) return { figures, span, home };
  // A line through more readings than pixels would look like noise, so rolling means are drawn in their place.
  const means = rollingMeans(points, ...axisEnds(figures));
  return { figures: { ...figures, drawn: 'rolling_mean', points: means }, span, home };
}

/**
 * The readings from left to right. Readings with a date are placed by their clocks, and readings without a date are
 * left out. If no reading has a date, all are placed by their number.
 */
function placed(readings: readonly Reading[]): {
  points: ReadingPoint[];
  span: ChartPlan['span'];
} {
  const dated = readings
    .flatMap((reading) => {
      const at = wallClock(reading);
      return at === null ? [] : pointAt(at, reading);
    })
    .sort((a, b) => a.at - b.at);
  const [first, last] = [dated[0], dated.at(-1)];
  if (first !== undefined && last !== undefined) {
    return { points: dated, span: [first.at, last.at] };
  }
  const points = readings.map((reading, index) => pointAt(index + 1, reading));
  return { points, span: null };
}

function pointAt(at: number, reading: Reading): ReadingPoint {
  return { at, ...figuresOf((name) => reading[name]) };
}
