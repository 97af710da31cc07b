import type { MeasureName } from '../analysis/reading.js';
import type { PlotBox } from './chart-layout.js';
import { lineLook, measureStyles } from './chart-style.js';
import type { HorizontalAxis } from './horizontal-axis.js';
import type { ReferenceSet } from './reference-labels.js';
import { type BandPoint, type Point, rollingBand } from './rolling-band.js';
import { pixelOf, type ValueAxis } from './value-axis.js';

/** What is drawn of one measure: its readings, or their rolling mean with a band around it. */
export interface Drawing {
  name: MeasureName;
  /** A null ends a stretch of the line. */
  line: [position: number, value: number | null][];
  /** Empty where the readings themselves are drawn. */
  bands: BandPoint[][];
}

export function drawMeasure(
  name: MeasureName,
  { readings, positions, min, max }: HorizontalAxis,
  banded: boolean,
): Drawing {
  const points = readings.flatMap((reading, index): Point[] => {
    const value = reading[name];
    return value === null ? [] : [[positions[index] ?? 0, value]];
  });
  if (!banded) return { name, line: points.map(([at, value]) => [at, value]), bands: [] };
  const bands = rollingBand(points, min, max);
  return {
    name,
    bands,
    line: bands.flatMap((stretch) => [
      ...stretch.map(({ position, mean }): [number, number] => [position, mean]),
      endOf(stretch),
    ]),
  };
}

function endOf(stretch: readonly BandPoint[]): [number, null] {
  return [stretch.at(-1)?.position ?? 0, null];
}

export function seriesOption({ name, line, bands }: Drawing, references: readonly ReferenceSet[]) {
  const { color, dark, symbol, name: title } = measureStyles[name];
  const look = bands.length > 0 ? { symbolSize: 0, width: 3.5 } : lineLook(line.length);
  return {
    type: 'line',
    name: title,
    data: line,
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

/** From the lowest to the highest reading around each place, below everything else. */
export function bandShapes(
  { name, bands }: Drawing,
  { min, max }: HorizontalAxis,
  vertical: ValueAxis,
  box: PlotBox,
) {
  const x = (at: number) => box.left + ((at - min) / (max - min)) * (box.right - box.left);
  return bands.map((stretch) => {
    const edge = (side: 'low' | 'high') =>
      stretch.map((point) => [x(point.position), pixelOf(point[side], vertical, box)]);
    return {
      type: 'polygon',
      shape: { points: [...edge('high'), ...edge('low').reverse()] },
      style: { fill: measureStyles[name].color, opacity: 0.16 },
    } as const;
  });
}
