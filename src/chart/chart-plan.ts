import { type Figures, figuresOf } from '../analysis/figures.js';
import { homeReadings } from '../analysis/home.js';
import { type Reading, wallClock } from '../analysis/reading.js';
import type { StudyPeriod } from '../base/study-period.js';
import type { ChartDocument, ReadingPoint } from '../documents/chart-document.js';
import { fitToPixels } from './layout/rolling-means.js';
import { pixelsAcross } from './picture.js';

export interface ChartInput {
  /** In any order; readings without a time are drawn in the order given. */
  readings: readonly Reading[];
  own: Figures;
  /** A figure that is null has no line. */
  cohort: Figures;
  period?: StudyPeriod | null;
}

export interface ChartPlan {
  /** All that is drawn. */
  figures: ChartDocument;
  /** The first and the last reading by their clocks; null when none has a time. */
  span: readonly [first: number, last: number] | null;
}

/** What the picture of these readings draws, as figures. */
export function planChart({ readings, own, cohort, period = null }: ChartInput): ChartPlan {
  // Leaves out a measure that no reading has.
  const drawn = (averages: Figures): Figures =>
    figuresOf((name) =>
      readings.some((reading) => reading[name] !== null) ? averages[name] : null,
    );
  const { points, span } = placed(readings);
  const week = placed(homeReadings(readings)).span;
  const figures: ChartDocument = {
    schema_version: 1,
    positions: span === null ? 'order' : 'time',
    reading_count: readings.length,
    undated_count: readings.length - points.length,
    ...(week !== null && { home: { from: week[0], to: week[1] } }),
    ...(period !== null && { period }),
    own: drawn(own),
    cohort: drawn(cohort),
    drawn: 'readings',
    points,
  };
  // When there are more readings than pixels, rolling means are drawn in their place.
  return { figures: fitToPixels(figures, pixelsAcross(figures)), span };
}

/** The readings from left to right: dated ones by their clocks, or all by number when none is dated. */
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
