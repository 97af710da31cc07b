import { averageOfReadings, homeReadings } from '../analysis/home.js';
import { byMeasure, type Figures, type Reading, wallClock } from '../analysis/reading.js';
import { groupBy, sum } from '../base/lists.js';
import type { StudyPeriod } from '../base/study-period.js';
import { PIXELS_WIDE, plot, width } from './plot.js';

export interface ChartInput {
  readings: readonly Reading[];
  own: Figures;
  /** No line is drawn for a figure that is null. */
  cohort: Figures;
  /** How far noise has moved the cohort figures, to either side. */
  noise?: Figures | undefined;
  period?: StudyPeriod | null;
}

/** `at` is in ms by the clock of the reading, as if that were UTC. A measure is null where the reading lacks it. */
export type Point = { at: number } & Figures;

/** The times of the first and the last of some readings, by their clocks. */
export type Span = readonly [first: number, last: number];

export interface ChartPlan {
  points: readonly Point[];
  /** Between which values the readings lie, where a point is the mean of several; null where it is one reading. */
  means: { lowest: Figures; highest: Figures } | null;
  span: Span | null;
  /** Of all readings, those that are not drawn among them. */
  readingCount: number;
  /** Readings without a date are not drawn. */
  undatedCount: number;
  /** The home average with the span of its readings; null if there is none. */
  home: { average: Figures; span: Span } | null;
  period: StudyPeriod | null;
  own: Figures;
  /** The dotted lines; null where the caller is not told. */
  cohort: Figures;
  noise: Figures;
}

/** A line through more readings than pixels would look like noise. */
const MOST_POINTS = ((plot.right - plot.left) * PIXELS_WIDE) / width;

export function planChart({ readings, own, cohort, ...more }: ChartInput): ChartPlan {
  const { noise = byMeasure(() => null), period = null } = more;
  // A measure that no reading has is left out.
  const drawn = (averages: Figures): Figures =>
    byMeasure((name) =>
      readings.some((reading) => reading[name] !== null) ? averages[name] : null,
    );
  const dated = datedPoints(readings);
  const week = homeReadings(readings);
  const spanOfWeek = spanOf(datedPoints(week));
  const areMany = dated.length > MOST_POINTS;
  return {
    points: areMany ? meansOf(dated) : dated,
    means: areMany ? extremesOf(dated) : null,
    span: spanOf(dated),
    readingCount: readings.length,
    undatedCount: readings.length - dated.length,
    home: spanOfWeek && { average: averageOfReadings(week), span: spanOfWeek },
    period,
    own: drawn(own),
    cohort: drawn(cohort),
    noise: drawn(noise),
  };
}

function datedPoints(readings: readonly Reading[]): Point[] {
  return readings
    .flatMap((reading) => {
      const at = wallClock(reading);
      return at === null ? [] : { at, ...byMeasure((name) => reading[name]) };
    })
    .sort((one, other) => one.at - other.at);
}

function spanOf(points: readonly Point[]): Span | null {
  const [first, last] = [points[0], points.at(-1)];
  return first === undefined || last === undefined ? null : [first.at, last.at];
}

/** Narrow enough to show a season, and wide enough for a calm line. */
const STRETCHES = 120;

/** The means of the readings in each of the stretches of equal length that the time of the points is divided into. */
function meansOf(points: readonly Point[]): Point[] {
  const [first, last] = spanOf(points) ?? [0, 0];
  // A little longer than the time of the points, so that the last point has no stretch of its own.
  const length = (last - first + 1) / STRETCHES;
  const stretches = groupBy(points, ({ at }) => Math.floor((at - first) / length));
  return Array.from(stretches.values(), (near) => ({
    at: sum(near.map(({ at }) => at)) / near.length,
    ...ofEach(near, (values) => sum(values) / values.length),
  }));
}

function extremesOf(points: readonly Point[]): ChartPlan['means'] {
  return {
    lowest: ofEach(points, (values) => values.reduce((one, other) => Math.min(one, other))),
    highest: ofEach(points, (values) => values.reduce((one, other) => Math.max(one, other))),
  };
}

function ofEach(points: readonly Point[], figure: (values: readonly number[]) => number): Figures {
  return byMeasure((name) => {
    const values = points.flatMap((point) => point[name] ?? []);
    return values.length === 0 ? null : figure(values);
  });
}
