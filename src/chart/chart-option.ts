import type { EChartsOption } from 'echarts';
import { type MeasureName, measureNames } from '../analysis/reading.js';
import type { ChartDocument } from '../documents/chart-document.js';
import { xAxisOption, yAxisOption } from './chart-axes.js';
import { chartHeight, chartWidth } from './chart-layout.js';
import type { ChartPlan } from './chart-plan.js';
import { bandShapes, seriesOption } from './chart-series.js';
import { font, ink, measureStyles } from './chart-style.js';
import { describeDrawing, describeReadings } from './chart-words.js';
import { linesOf, type ReferenceSet, referenceLabels } from './reference-labels.js';
import { valueAxis } from './value-axis.js';

/** The picture of one Pod's readings as ECharts wants it described. Names nobody. */
export function chartOption({ figures, axis, span, box }: ChartPlan) {
  const { own, cohort, points, reading_count } = figures;
  // Nothing is said of a measure that no reading has.
  const names = measureNames.filter(
    (name) => own[name] !== null || points.some((point) => point[name] !== null),
  );
  const vertical = valueAxis([own, cohort, ...points].flatMap(extremes));
  const references: ReferenceSet[] = [
    { heading: 'Own average', side: 'right', dash: [12, 7], lines: linesOf(own) },
    { heading: 'Cohort average', side: 'left', dash: [3, 5], lines: linesOf(cohort) },
  ];

  return {
    animation: false,
    backgroundColor: '#FFFFFF',
    textStyle: { fontFamily: font },
    title: titleOption(describeReadings(reading_count, span), names),
    legend: legendOption(names),
    grid: {
      left: box.left,
      right: chartWidth - box.right,
      top: box.top,
      bottom: chartHeight - box.bottom,
    },
    xAxis: xAxisOption(axis),
    yAxis: yAxisOption(vertical, box, names.includes('heart_rate')),
    series: names.map((name) => seriesOption(name, figures, references)),
    graphic: [
      ...names.flatMap((name) => bandShapes(name, figures, axis, vertical, box)),
      ...references.flatMap((set) => referenceLabels(set, vertical, box)),
      ...noteBelow(describeDrawing(figures.undated_count, figures.drawn === 'rolling_mean')),
    ],
  } satisfies EChartsOption;
}

/** A reading or an average is its own lowest and highest. */
function extremes(place: ChartDocument['own'] | ChartDocument['points'][number]): number[] {
  return measureNames.flatMap((name) => {
    const value = place[name];
    if (value === null) return [];
    return typeof value === 'number' ? [value] : [value.low, value.high];
  });
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
