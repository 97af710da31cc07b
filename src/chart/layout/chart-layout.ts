import { type MeasureName, measureNames } from '../../analysis/reading.js';
import type { ChartDocument, MeanPoint, ReadingPoint } from '../../documents/chart-document.js';
import { axes, homeDays, horizontalAxis } from './axes.js';
import { course } from './course.js';
import { linearScale, type Scale } from './linear-scale.js';
import { inPaintingOrder, type Mark, type Text } from './marks.js';
import { type PlotBox, plotBox } from './plot-box.js';
import { references } from './references.js';
import { valueAxis } from './value-axis.js';

/** The place of a reading or of a rolling mean. For a reading, low and high are its own value. */
export interface Place extends MeanPoint {
  x: number;
}

export interface ChartLayout {
  width: number;
  height: number;
  plot: PlotBox;
  /** The marks in the order in which they are painted. */
  marks: readonly Mark[];
  texts: readonly Text[];
  /** The places with a value, from left to right. */
  places: readonly Place[];
  y: Scale;
  /** The measures that at least one reading has; others are left out. */
  recorded: readonly MeasureName[];
  /** Whether rolling means are drawn. */
  banded: boolean;
}

/**
 * Lays out the picture of one Pod's readings in pixels. It contains no names of people, and the painter adds colours.
 */
export function layOutChart(figures: ChartDocument, width: number, height: number): ChartLayout {
  const { own, cohort } = figures;
  const banded = figures.drawn === 'rolling_mean';
  const plot = plotBox(figures, width, height);
  const horizontal = horizontalAxis(figures, plot);
  const points = banded ? figures.points : figures.points.map(asMean);
  const places = points.map((point): Place => ({ ...point, x: horizontal.x(point.at) }));
  const recorded = measureNames.filter(
    (name) => own[name] !== null || places.some((place) => place[name] !== null),
  );
  const vertical = valueAxis([own, cohort, ...places].flatMap(extremes), plot.bottom - plot.top);
  const y = linearScale([vertical.min, vertical.max], [plot.bottom, plot.top]);
  const around = [
    axes(horizontal, vertical.ticks, y, plot, recorded.includes('heart_rate')),
    references('own', own, { plot, y, width }),
    references('cohort', cohort, { plot, y, width }),
  ];
  const courses = recorded.flatMap((name) => course(places, name, { plot, y, banded }));
  return {
    width,
    height,
    plot,
    marks: inPaintingOrder([
      ...courses,
      ...homeDays(figures, horizontal.x, plot),
      ...around.flatMap(({ marks }) => marks),
    ]),
    texts: around.flatMap(({ texts }) => texts),
    places: places.filter((place) => measureNames.some((name) => place[name] !== null)),
    y,
    recorded,
    banded,
  };
}

function asMean({ at, systolic, diastolic, heart_rate }: ReadingPoint): MeanPoint {
  const mean = (value: number | null) =>
    value === null ? null : { mean: value, low: value, high: value };
  return { at, systolic: mean(systolic), diastolic: mean(diastolic), heart_rate: mean(heart_rate) };
}

/** The averages themselves, or the lowest and the highest values at a place. */
function extremes(of: ChartDocument['own'] | MeanPoint): number[] {
  return measureNames.flatMap((name) => {
    const value = of[name];
    if (value === null) return [];
    return typeof value === 'number' ? [value] : [value.low, value.high];
  });
}
