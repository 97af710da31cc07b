import { type Axis, orderAxis, timeAxis } from '../../src/chart/horizontal-axis.js';
import { rollingMeans } from '../../src/chart/rolling-means.js';
import { spreadLabels } from '../../src/chart/spread-labels.js';
import type { ChartDocument, MeanPoint } from '../../src/documents/chart-document.js';
import type { Figures } from '../api/guards.js';
import { type MeasureInfo, measures } from '../format/measures.js';
import { linearScale, niceTicks, type Scale, spanOf } from './scale.js';

type Value = NonNullable<MeanPoint['systolic']>;

/** A reading, or the rolling mean at a place; of a reading, low and high are itself. */
export interface Place extends Record<MeasureInfo['name'], Value | null> {
  at: number;
  x: number;
}

export interface Reference {
  measure: MeasureInfo;
  value: number;
  y: number;
  /** Where its label stands, pushed away from its neighbours. */
  labelY: number;
}

export interface ReadingsLayout {
  width: number;
  height: number;
  plot: { left: number; right: number; top: number; bottom: number };
  /** Too narrow for labels beside the plot. */
  narrow: boolean;
  banded: boolean;
  /** From left to right; those of means are there where no reading is near, too. */
  places: readonly Place[];
  /** The places that have something to read. */
  stops: readonly Place[];
  /** The measures that any reading has. */
  recorded: readonly MeasureInfo[];
  axis: Axis;
  x: Scale;
  y: Scale;
  valueTicks: readonly number[];
  own: readonly Reference[];
  cohort: readonly Reference[];
}

/** The narrowest axis, so that noise does not look like a trend. */
const leastSpan = 60;
const gutter = 56;
const labelHeight = 16;

/** `wallClock` shifts a time so that its UTC reads as the clock of the reader's zone. */
export function layOutReadings(
  chart: ChartDocument,
  width: number,
  wallClock: (time: number) => number = localTime,
): ReadingsLayout {
  const narrow = width < 520;
  const height = narrow ? 280 : 360;
  const has = (figures: Figures) => measures.some(({ name }) => figures[name] !== null);
  const plot = {
    left: 36 + (has(chart.cohort) && !narrow ? gutter : 0),
    right: width - (has(chart.own) && !narrow ? gutter : 12),
    top: narrow ? 26 : 44,
    bottom: height - 44,
  };
  const room = plot.right - plot.left;
  const position = chart.positions === 'time' ? wallClock : (number: number) => number;
  const { points, banded } = pointsFor(chart, room);
  const isStop = (point: MeanPoint) => measures.some(({ name }) => point[name] !== null);
  const axis = axisOf(chart, points.filter(isStop), position, 1 + Math.floor(room / 70));
  const x = linearScale([axis.min, axis.max], [plot.left, plot.right]);
  const places = points.map((point): Place => ({ ...point, x: x(position(point.at)) }));
  const references = [chart.own, chart.cohort].map((figures) =>
    measures.flatMap((measure) => {
      const value = figures[measure.name];
      return value === null ? [] : [{ measure, value }];
    }),
  );
  const values = measures.flatMap(({ name }) =>
    places.flatMap((place) => (place[name] === null ? [] : [place[name].low, place[name].high])),
  );
  const domain = spanOf([...values, ...references.flat().map(({ value }) => value)], leastSpan);
  const y = linearScale(domain, [plot.bottom, plot.top]);
  const [own = [], cohort = []] = references.map((set): Reference[] => {
    const labels = spreadLabels(
      set.map(({ value }) => y(value)),
      { gap: labelHeight, low: plot.top, high: plot.bottom },
    );
    return set.map((reference, index) => ({
      ...reference,
      y: y(reference.value),
      labelY: labels[index] ?? y(reference.value),
    }));
  });
  const valueTicks = niceTicks(domain, (plot.bottom - plot.top) / 32);
  return {
    ...{ width, height, plot, narrow, banded, axis, x, y, valueTicks, own, cohort, places },
    stops: places.filter(isStop),
    recorded: measures.filter(({ name }) => places.some((place) => place[name] !== null)),
  };
}

function axisOf(
  chart: ChartDocument,
  stops: readonly MeanPoint[],
  position: (at: number) => number,
  most: number,
): Axis {
  if (chart.positions === 'order') return orderAxis(chart.reading_count, most);
  const [first, last] = [stops[0]?.at ?? 0, stops.at(-1)?.at ?? 0];
  return timeAxis(position(first), position(last), most);
}

/** As they were drawn, or as rolling means where this plot has fewer pixels than there are readings. */
function pointsFor(chart: ChartDocument, room: number): { points: MeanPoint[]; banded: boolean } {
  if (chart.drawn === 'rolling_mean') return { points: chart.points, banded: true };
  const [first, last] = [chart.points[0]?.at ?? 0, chart.points.at(-1)?.at ?? 0];
  if (chart.points.length > room) {
    return { points: rollingMeans(chart.points, first, last), banded: true };
  }
  const asMean = (value: number | null) =>
    value === null ? null : { mean: value, low: value, high: value };
  const points = chart.points.map(({ at, systolic, diastolic, heart_rate }) => ({
    at,
    systolic: asMean(systolic),
    diastolic: asMean(diastolic),
    heart_rate: asMean(heart_rate),
  }));
  return { points, banded: false };
}

/** Of one measure, the stretches without a gap: only means have gaps, single readings are joined. */
export function stretchesOf(
  { places, banded }: Pick<ReadingsLayout, 'places' | 'banded'>,
  name: MeasureInfo['name'],
): { x: number; value: Value }[][] {
  const stretches: { x: number; value: Value }[][] = [[]];
  for (const place of places) {
    const value = place[name];
    if (value !== null) stretches.at(-1)?.push({ x: place.x, value });
    else if (banded) stretches.push([]);
  }
  return stretches.filter(({ length }) => length > 0);
}

function localTime(time: number): number {
  return time - new Date(time).getTimezoneOffset() * 60_000;
}
