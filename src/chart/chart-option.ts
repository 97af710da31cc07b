import type { EChartsOption } from 'echarts';
import type { MeasureName } from '../analysis/reading.js';
import type { Figures } from '../analysis/summary.js';
import { gridlines, xAxisOption, yAxisOption } from './chart-axes.js';
import type { ChartInput } from './chart-input.js';
import { chartHeight, chartWidth } from './chart-layout.js';
import { planChart } from './chart-plan.js';
import { bandShapes, drawMeasure, seriesOption } from './chart-series.js';
import { font, ink, measureStyles } from './chart-style.js';
import { describeDrawing, describeReadings } from './chart-words.js';
import { type ReferenceSet, referenceLabels } from './reference-labels.js';
import { pixelOf } from './value-axis.js';

/** The picture of one Pod's readings as ECharts wants it described. Names nobody. */
export function chartOption(input: ChartInput) {
  const { readings, own, cohort } = input;
  const { names, horizontal, vertical, box, banded } = planChart(input);
  const drawings = names.map((name) => drawMeasure(name, horizontal, banded));

  const linesAt = (averages: Figures | null) =>
    names.flatMap((name) => {
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
    title: titleOption(describeReadings(readings), names),
    legend: legendOption(names),
    grid: {
      left: box.left,
      right: chartWidth - box.right,
      top: box.top,
      bottom: chartHeight - box.bottom,
    },
    xAxis: xAxisOption(horizontal),
    yAxis: yAxisOption(vertical, box, names.includes('heart_rate')),
    series: drawings.map((drawing) => seriesOption(drawing, references)),
    graphic: [
      ...gridlines(vertical, box),
      ...drawings.flatMap((drawing) => bandShapes(drawing, horizontal, vertical, box)),
      ...references.flatMap((set) => referenceLabels(set, box)),
      ...noteBelow(describeDrawing(readings.length, horizontal.readings.length, banded)),
    ],
  } satisfies EChartsOption;
}

function titleOption(subtext: string, names: readonly MeasureName[]) {
  return {
    text: names.includes('heart_rate') ? 'Blood pressure and heart rate' : 'Blood pressure',
    subtext,
    left: 35,
    top: 24,
    itemGap: 10,
    textStyle: { fontSize: 38, fontWeight: 600, color: ink.strong },
    subtextStyle: { fontSize: 27, color: ink.normal },
  } as const;
}

function legendOption(names: readonly MeasureName[]) {
  return {
    data: names.map((name) => measureStyles[name].name),
    top: 40,
    right: 40,
    itemWidth: 56,
    itemHeight: 14,
    itemGap: 40,
    lineStyle: { width: 3, opacity: 1 },
    textStyle: { fontSize: 27, color: ink.strong, padding: [0, 0, 0, 6] },
  };
}

function noteBelow(text: string) {
  if (text === '') return [];
  return [
    {
      type: 'text',
      x: 40,
      y: chartHeight - 18,
      style: {
        text,
        align: 'left',
        verticalAlign: 'bottom',
        fill: ink.normal,
        fontFamily: font,
        fontSize: 22,
      },
    } as const,
  ];
}
