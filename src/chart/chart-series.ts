import type { MeasureName } from '../analysis/reading.js';
import type { ChartDocument, MeanPoint } from '../documents/chart-document.js';
import type { PlotBox } from './chart-layout.js';
import { lineLook, measureStyles } from './chart-style.js';
import type { Axis } from './horizontal-axis.js';
import type { ReferenceSet } from './reference-labels.js';
import { pixelOf, type ValueAxis } from './value-axis.js';

/** The line of one measure: its readings, or their rolling means with gaps, which are null. */
export function seriesOption(
  name: MeasureName,
  figures: ChartDocument,
  references: readonly ReferenceSet[],
) {
  const { color, dark, symbol, name: title } = measureStyles[name];
  const isBanded = figures.drawn === 'rolling_mean';
  const data = isBanded
    ? figures.points.map((point) => [point.at, point[name]?.mean ?? null])
    : figures.points.map((point) => [point.at, point[name]]).filter(([, value]) => value !== null);
  const look = isBanded ? { symbolSize: 0, width: 3.5 } : lineLook(data.length);
  return {
    type: 'line',
    name: title,
    data,
    color,
    symbol,
    symbolSize: look.symbolSize,
    showSymbol: look.symbolSize > 0,
    lineStyle: { width: look.width },
    markLine: {
      z: 1,
      symbol: 'none',
      label: { show: false },
      data: references.flatMap(({ dash, lines }) =>
        lines
          .filter((reference) => reference.name === name)
          .map(({ value }) => ({
            yAxis: value,
            lineStyle: { color: dark, width: 2.5, type: dash },
          })),
      ),
    },
  } as const;
}

/** From the lowest to the highest reading around each rolling mean, below everything else. */
export function bandShapes(
  name: MeasureName,
  figures: ChartDocument,
  { min, max }: Axis,
  vertical: ValueAxis,
  box: PlotBox,
) {
  if (figures.drawn === 'readings') return [];
  const x = (at: number) => box.left + ((at - min) / (max - min)) * (box.right - box.left);
  return stretches(figures.points, name).map((stretch) => {
    const edge = (side: 'low' | 'high') =>
      stretch.map((point) => [x(point.at), pixelOf(point[side], vertical, box)]);
    return {
      type: 'polygon',
      shape: { points: [...edge('high'), ...edge('low').reverse()] },
      style: { fill: measureStyles[name].color, opacity: 0.16 },
    } as const;
  });
}

/** The places between two gaps. */
function stretches(points: readonly MeanPoint[], name: MeasureName) {
  const found: { at: number; low: number; high: number }[][] = [[]];
  for (const { at, [name]: mean } of points) {
    if (mean === null) found.push([]);
    else found.at(-1)?.push({ at, ...mean });
  }
  return found.filter(({ length }) => length > 0);
}
