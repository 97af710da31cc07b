import { area, line } from 'd3-shape';
import type { MeasureName } from '../../analysis/reading.js';
import type { MeanPoint } from '../../documents/chart-document.js';
import type { Scale } from './linear-scale.js';
import { type Mark, markPath } from './marks.js';
import type { PlotBox } from './plot-box.js';

interface At {
  x: number;
  value: MeanPoint[MeasureName];
}

/** Draws the readings of a measure: a line, with marks if there is room, or rolling means in a band. */
export function course(
  places: readonly (MeanPoint & { x: number })[],
  measure: MeasureName,
  { plot, y, banded }: { plot: PlotBox; y: Scale; banded: boolean },
): Mark[] {
  const all = places.map((place): At => ({ x: place.x, value: place[measure] }));
  if (banded) {
    return [
      { look: 'band', measure, d: bandThrough(all, y) },
      { look: 'line', measure, d: lineThrough(all, y) },
    ];
  }
  // Only a line of rolling means is interrupted, where a mean is null. A line of readings leaves out a reading that
  // lacks the measure, and goes straight on to the next.
  const some = all.filter(({ value }) => value !== null);
  const { look, markSize } = lookFor((plot.right - plot.left) / some.length);
  const marks = some.map(({ x, value }) => markPath(measure, x, y(value?.mean ?? 0), markSize));
  return [
    { look, measure, d: lineThrough(some, y) },
    ...(markSize === 0 ? [] : [{ look: 'mark', measure, d: marks.join('') } as const]),
  ];
}

/**
 * Readings that are close together get a finer line and smaller marks: hundreds of large marks would hide the line.
 */
function lookFor(distance: number) {
  if (distance >= 9) return { look: 'line', markSize: 7 } as const;
  if (distance >= 3) return { look: 'thin', markSize: 4 } as const;
  return { look: 'fine', markSize: 0 } as const;
}

function lineThrough(drawn: readonly At[], y: Scale): string {
  const path = line<At>()
    .digits(1)
    .defined(({ value }) => value !== null)
    .x(({ x }) => x)
    .y(({ value }) => y(value?.mean ?? 0));
  return path([...drawn]) ?? '';
}

/** The band from the lowest to the highest reading around each mean. */
function bandThrough(drawn: readonly At[], y: Scale): string {
  const path = area<At>()
    .digits(1)
    .defined(({ value }) => value !== null)
    .x(({ x }) => x)
    .y0(({ value }) => y(value?.low ?? 0))
    .y1(({ value }) => y(value?.high ?? 0));
  return path([...drawn]) ?? '';
}
