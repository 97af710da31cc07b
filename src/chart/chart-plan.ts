import { type MeasureName, measureNames } from '../analysis/reading.js';
import type { ChartInput } from './chart-input.js';
import { type PlotBox, pixelsAcross, plotBox } from './chart-layout.js';
import { type HorizontalAxis, horizontalAxis } from './horizontal-axis.js';
import { gutterFor } from './reference-labels.js';
import { type ValueAxis, valueAxis } from './value-axis.js';

/** What the picture and its figures have to agree on. */
export interface ChartPlan {
  /** The measures that any reading has; nothing is said of the others. */
  names: MeasureName[];
  horizontal: HorizontalAxis;
  vertical: ValueAxis;
  box: PlotBox;
  /** More readings than pixels would be drawn as noise: a rolling mean is drawn instead. */
  banded: boolean;
}

export function planChart({ readings, own, cohort }: ChartInput): ChartPlan {
  const names = measureNames.filter((name) => readings.some((reading) => reading[name] !== null));
  const horizontal = horizontalAxis(readings);
  const figures = cohort === null ? [own] : [own, cohort];
  const vertical = valueAxis(valuesOf([...horizontal.readings, ...figures], names));
  const box = plotBox({ left: gutterFor(cohort, names), right: gutterFor(own, names) });
  const banded = horizontal.readings.length > pixelsAcross(box);
  return { names, horizontal, vertical, box, banded };
}

function* valuesOf(
  sources: readonly Record<MeasureName, number | null>[],
  names: readonly MeasureName[],
): Generator<number> {
  for (const source of sources) {
    for (const name of names) {
      const value = source[name];
      if (value !== null) yield value;
    }
  }
}
