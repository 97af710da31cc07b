import { area, line } from 'd3-shape';
import type { MeasureName } from '../analysis/reading.js';
import type { Axis } from './axes.js';
import type { ChartFigures, MeanPoint, ReadingPoint } from './chart-figures.js';
import { markPath } from './mark-path.js';
import type { Plot } from './plot.js';
import { colours, filled, stroked } from './svg.js';

interface Scales {
  x: Axis['scale'];
  y: Axis['scale'];
}

/** What is drawn of one measure: lines below the averages, marks above them. */
export interface Course {
  lines: string;
  marks: string;
}

export function courseOf(
  figures: ChartFigures,
  measure: MeasureName,
  scales: Scales,
  plot: Plot,
): Course {
  return figures.drawn === 'rolling_mean'
    ? { lines: rollingMeans(figures.points, measure, scales), marks: '' }
    : readings(figures.points, measure, scales, plot);
}

/** A line through the readings that have the measure, with marks if there is room. */
function readings(
  points: readonly ReadingPoint[],
  measure: MeasureName,
  { x, y }: Scales,
  plot: Plot,
): Course {
  const positions = points.flatMap(({ at, [measure]: value }): [number, number][] =>
    value === null ? [] : [[x(at), y(value)]],
  );
  const { bright } = colours[measure];
  const { width, markSize } = lookFor((plot.right - plot.left) / positions.length);
  const shapes = positions.map(([right, down]) => markPath(measure, right, down, markSize));
  return {
    lines: stroked(line().digits(1)(positions) ?? '', bright, width),
    marks: markSize === 0 || positions.length === 0 ? '' : filled(shapes.join(''), bright),
  };
}

/**
 * Readings that are close together get a finer line and smaller marks: hundreds of large marks would hide the line.
 */
function lookFor(distance: number): { width: number; markSize: number } {
  if (distance >= 9) return { width: 1.75, markSize: 7 };
  if (distance >= 3) return { width: 1.25, markSize: 4 };
  return { width: 1, markSize: 0 };
}

/** A line, with gaps where no reading is near, in a band from the lowest to the highest reading around it. */
function rollingMeans(
  points: readonly MeanPoint[],
  measure: MeasureName,
  { x, y }: Scales,
): string {
  const { bright } = colours[measure];
  const isThere = (point: MeanPoint) => point[measure] !== null;
  const right = ({ at }: MeanPoint) => x(at);
  const down = (part: 'mean' | 'low' | 'high') => (point: MeanPoint) =>
    y(point[measure]?.[part] ?? 0);
  const band = area<MeanPoint>(right, down('low'), down('high')).defined(isThere).digits(1);
  const means = line<MeanPoint>(right, down('mean')).defined(isThere).digits(1);
  return (
    filled(band([...points]) ?? '', bright, { 'fill-opacity': 0.15 }) +
    stroked(means([...points]) ?? '', bright, 1.75)
  );
}
