import type { MeasureName } from '../analysis/reading.js';
import type { Axis } from './axes.js';
import type { Point } from './chart-plan.js';
import { markPath } from './mark-path.js';
import { plot } from './plot.js';
import { colours, filled, stroked, through } from './svg.js';

/** What is drawn of one measure: a line below the averages, marks above them if there is room. */
export function courseOf(
  points: readonly Point[],
  measure: MeasureName,
  { x, y }: { x: Axis['scale']; y: Axis['scale'] },
): { line: string; marks: string } {
  const places = points.flatMap(({ at, [measure]: value }): [number, number][] =>
    value === null ? [] : [[x(at), y(value)]],
  );
  if (places.length === 0) return { line: '', marks: '' };
  const { bright } = colours[measure];
  const { width, markSize } = lookFor((plot.right - plot.left) / places.length);
  const shapes = places.map(([right, down]) => markPath(measure, right, down, markSize));
  return {
    line: stroked(through(...places), bright, width),
    marks: markSize === 0 ? '' : filled(shapes.join(''), bright),
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
