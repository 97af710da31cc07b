import { units } from '../analysis/reading.js';
import type { PlotBox } from './chart-layout.js';
import { ink } from './chart-style.js';
import type { Axis } from './horizontal-axis.js';
import type { ValueAxis } from './value-axis.js';

const gridline = { color: ink.grid, width: 1.5 };

export function xAxisOption({ min, max, name, ticks }: Axis) {
  const customValues = ticks.map(({ at }) => at);
  return {
    type: 'value',
    min,
    max,
    ...(name === null ? {} : { name }),
    nameLocation: 'middle',
    nameGap: 54,
    nameTextStyle: { fontSize: 24, color: ink.normal },
    axisLine: { onZero: false, lineStyle: { color: ink.axis, width: 1.5 } },
    axisTick: { customValues, length: 7 },
    axisLabel: {
      customValues,
      formatter: (at: number) => ticks.find((tick) => tick.at === at)?.label ?? '',
      fontSize: 24,
      lineHeight: 30,
      color: ink.normal,
      margin: 14,
    },
    splitLine: { show: false },
  } as const;
}

export function yAxisOption(vertical: ValueAxis, box: PlotBox, withHeartRate: boolean) {
  const pressure = `Blood pressure (${units.systolic})`;
  return {
    type: 'value',
    ...vertical,
    name: withHeartRate ? `${pressure} and heart rate (${units.heart_rate})` : pressure,
    nameLocation: 'middle',
    nameGap: 74,
    nameTextStyle: { fontSize: 24, color: ink.normal },
    // Numbers move outward, past the labels of the cohort lines.
    offset: box.leftGutter,
    axisLabel: { fontSize: 24, color: ink.normal, margin: 14 },
    axisLine: { show: false },
    // Below the labels. The ticks lead through the gutter, so that the eye finds from a number to the plot.
    axisTick: { show: true, inside: true, length: box.leftGutter, lineStyle: gridline },
    splitLine: { show: true, lineStyle: gridline },
    z: -1,
  } as const;
}
