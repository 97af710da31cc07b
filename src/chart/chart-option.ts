import type { EChartsOption } from 'echarts';
import { type MeasureName, measureNames, type Reading, units } from '../analysis/reading.js';
import type { Figures } from '../analysis/summary.js';
import type { ChartInput } from './chart-input.js';
import { chartHeight, chartWidth, type PlotBox, plotBox } from './chart-layout.js';
import { font, ink, lineLook, measureStyles } from './chart-style.js';
import { describeReadings } from './chart-words.js';
import { horizontalAxis } from './horizontal-axis.js';
import { type ReferenceSet, referenceLabels } from './reference-labels.js';
import { pixelOf, type ValueAxis, valueAxis } from './value-axis.js';

/** The picture of one Pod's readings as ECharts wants it described. Names nobody. */
export function chartOption({ readings, own, cohort }: ChartInput) {
  const drawn = measureNames.filter((name) => readings.some((reading) => reading[name] !== null));
  const figures = cohort === null ? [own] : [own, cohort];
  const box = plotBox({ left: hasFigure(cohort, drawn), right: hasFigure(own, drawn) });
  const vertical = valueAxis(valuesOf([...readings, ...figures], drawn));
  const horizontal = horizontalAxis(readings);
  const look = lineLook(readings.length);

  const linesAt = (averages: Figures | null) =>
    drawn.flatMap((name) => {
      const value = averages?.[name] ?? null;
      return value === null ? [] : [{ name, value, y: pixelOf(value, vertical, box) }];
    });
  const references: ReferenceSet[] = [
    { heading: 'Own average', side: 'right', dash: [12, 7], lines: linesAt(own) },
    { heading: 'Cohort average', side: 'left', dash: [3, 5], lines: linesAt(cohort) },
  ];

  return {
    animation: false,
    backgroundColor: '#FFFFFF',
    textStyle: { fontFamily: font },
    title: {
      text: drawn.includes('heart_rate') ? 'Blood pressure and heart rate' : 'Blood pressure',
      subtext: describeReadings(readings),
      left: 35,
      top: 24,
      itemGap: 10,
      textStyle: { fontSize: 38, fontWeight: 600, color: ink.strong },
      subtextStyle: { fontSize: 27, color: ink.normal },
    },
    legend: {
      data: drawn.map((name) => measureStyles[name].name),
      top: 40,
      right: 40,
      itemWidth: 56,
      itemHeight: 14,
      itemGap: 40,
      lineStyle: { width: 3, opacity: 1 },
      textStyle: { fontSize: 27, color: ink.strong, padding: [0, 0, 0, 6] },
    },
    grid: {
      left: box.left,
      right: chartWidth - box.right,
      top: box.top,
      bottom: chartHeight - box.bottom,
    },
    xAxis: {
      type: 'value',
      min: horizontal.min,
      max: horizontal.max,
      ...(horizontal.name === null ? {} : { name: horizontal.name }),
      nameLocation: 'middle',
      nameGap: 54,
      nameTextStyle: { fontSize: 24, color: ink.normal },
      axisLine: { onZero: false, lineStyle: { color: ink.axis, width: 1.5 } },
      axisTick: { customValues: horizontal.ticks.map(({ at }) => at), length: 7 },
      axisLabel: {
        customValues: horizontal.ticks.map(({ at }) => at),
        formatter: (at: number) => horizontal.ticks.find((tick) => tick.at === at)?.label ?? '',
        fontSize: 24,
        lineHeight: 30,
        color: ink.normal,
        margin: 14,
      },
      splitLine: { show: false },
    },
    yAxis: {
      type: 'value',
      ...vertical,
      name: drawn.includes('heart_rate')
        ? `Blood pressure (${units.systolic}) and heart rate (${units.heart_rate})`
        : `Blood pressure (${units.systolic})`,
      nameLocation: 'middle',
      nameGap: 74,
      nameTextStyle: { fontSize: 24, color: ink.normal },
      // Numbers move outward, past the labels of the cohort lines.
      offset: box.leftGutter,
      axisLabel: { fontSize: 24, color: ink.normal, margin: 14 },
      axisLine: { show: false },
      axisTick: { show: false },
      splitLine: { show: false },
    },
    series: drawn.map((name) => {
      const { color, dark, symbol, name: title } = measureStyles[name];
      return {
        type: 'line',
        name: title,
        data: pointsOf(name, horizontal.readings, horizontal.positions),
        color,
        symbol,
        symbolSize: look.symbolSize,
        sampling: 'minmax',
        showSymbol: look.symbolSize > 0,
        lineStyle: { width: look.width, opacity: look.opacity },
        markLine: {
          // Below the points where there are some, above the band where there are none.
          z: look.symbolSize > 0 ? 1 : 5,
          symbol: 'none',
          label: { show: false },
          data: references.flatMap(({ dash, lines }) =>
            lines
              .filter((line) => line.name === name)
              .map(({ value }) => ({
                yAxis: value,
                lineStyle: { color: dark, width: 2.5, type: dash },
              })),
          ),
        },
      } as const;
    }),
    graphic: [
      ...gridlines(vertical, box),
      ...references.flatMap((set) => referenceLabels(set, box)),
    ],
  } satisfies EChartsOption;
}

/** Through the gutter too, so that the eye finds from a number to the plot. */
function gridlines({ min, max, interval }: ValueAxis, box: PlotBox) {
  return Array.from({ length: Math.round((max - min) / interval) + 1 }, (_, index) => {
    const y = pixelOf(min + index * interval, { min, max, interval }, box);
    return {
      type: 'line',
      shape: { x1: box.left - box.leftGutter, x2: box.right, y1: y, y2: y },
      style: { stroke: ink.grid, lineWidth: 1.5 },
    } as const;
  });
}

function pointsOf(name: MeasureName, readings: readonly Reading[], positions: readonly number[]) {
  return readings.flatMap((reading, index) => {
    const value = reading[name];
    return value === null ? [] : [[positions[index] ?? 0, value]];
  });
}

function hasFigure(figures: Figures | null, names: readonly MeasureName[]): boolean {
  return figures !== null && names.some((name) => figures[name] !== null);
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
