import { describe, expect, test } from 'vitest';
import type { Reading } from '../analysis/reading.js';
import { chartOption } from './chart-option.js';
import { type ChartInput, planChart } from './chart-plan.js';

const day = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 7, 19, 9, 15);
const own = { systolic: 118, diastolic: 76, heart_rate: 64 };
const cohort = { systolic: 121.25, diastolic: 75, heart_rate: 66 };
const nothing = { systolic: null, diastolic: null, heart_rate: null };

function readings(count: number, change: Partial<Reading> = {}): Reading[] {
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * day,
    systolic: 110 + (index % 9),
    diastolic: 70 + (index % 7),
    heart_rate: 60 + (index % 5),
    ...change,
  }));
}

/** What is written below the plot. */
function notes(option: ReturnType<typeof chartOption>): string[] {
  return option.graphic.flatMap((element) =>
    element.type === 'text' && element.y > 950 ? [element.style.text] : [],
  );
}

function draw(change: Partial<ChartInput> = {}) {
  const option = chartOption(planChart({ readings: readings(30), own, cohort, ...change }));
  const texts = option.graphic.filter((element) => element.type === 'text');
  return {
    option,
    title: `${option.title.text} / ${option.title.subtext}`,
    names: option.series.map(({ name }) => name),
    /** Values of the reference lines, by their dashes. */
    lines: (dash: 'dashed' | 'dotted') =>
      option.series
        .flatMap(({ markLine }) => markLine.data)
        .filter(({ lineStyle }) => lineStyle.type[0] > lineStyle.type[1] === (dash === 'dashed'))
        .map(({ yAxis }) => yAxis),
    labels: (side: 'left' | 'right') =>
      // Text left of the plot ends at its anchor, text right of it starts there.
      texts
        .filter(({ style, y }) => style.align !== side && y < 950)
        .map(({ style, y }) => ({ text: style.text, y })),
  };
}

describe('The chart', () => {
  test('has three lines with points over time on one axis, in different colours and shapes', () => {
    const { option, names } = draw();
    expect(names).toEqual(['Systolic', 'Diastolic', 'Heart rate']);
    expect(option.legend.data).toEqual(names);
    expect(option.series[0]?.data.slice(0, 2)).toEqual([
      [start, 110],
      [start + day, 111],
    ]);
    expect(option.series.every(({ showSymbol }) => showSymbol)).toBe(true);
    expect(new Set(option.series.map(({ color }) => color)).size).toBe(3);
    expect(new Set(option.series.map(({ symbol }) => symbol)).size).toBe(3);
    expect(option.yAxis.name).toBe('Blood pressure (mm Hg) and heart rate (bpm)');
  });

  test('has the own averages dashed and labelled on the right, the cohort dotted on the left', () => {
    const { lines, labels } = draw();
    expect(lines('dashed')).toEqual([118, 76, 64]);
    expect(lines('dotted')).toEqual([121.25, 75, 66]);
    expect(labels('right').map(({ text }) => text)).toEqual([
      'Own average',
      'Systolic 118.0',
      'Diastolic 76.0',
      'Heart rate 64.0',
    ]);
    expect(labels('left').map(({ text }) => text)).toEqual([
      'Cohort average',
      'Systolic 121.3',
      'Diastolic 75.0',
      'Heart rate 66.0',
    ]);
  });

  test('keeps the labels of close averages apart', () => {
    const close = { systolic: 76.1, diastolic: 76, heart_rate: 75.9 };
    const { labels } = draw({ own: close, cohort: close });
    for (const side of ['left', 'right'] as const) {
      const positions = labels(side)
        .map(({ y }) => y)
        .sort((a, b) => a - b);
      for (const [index, y] of positions.slice(1).entries()) {
        expect(y - (positions[index] ?? 0)).toBeGreaterThanOrEqual(34.9);
      }
    }
  });

  test('keeps the labels of the cohort between the plot and the axis numbers', () => {
    const { option } = draw();
    const anchors = option.graphic.flatMap((element) =>
      element.type === 'text' && element.style.align === 'right' ? [element.x] : [],
    );
    // Where the numbers end; the longest label, "Heart rate 66.0", is 180 units wide.
    const numbers = option.grid.left - option.yAxis.offset;
    expect(anchors.length).toBe(4);
    for (const x of anchors) {
      expect(x).toBeLessThan(option.grid.left);
      expect(x - 180).toBeGreaterThan(numbers);
      expect(x - 180 - numbers).toBeLessThan(25);
    }
  });

  test('has no line, no label and no scale for a figure that is null', () => {
    const { lines, labels } = draw({
      own: { ...own, diastolic: null },
      cohort: { ...nothing, systolic: 121.25 },
    });
    expect(lines('dashed')).toEqual([118, 64]);
    expect(lines('dotted')).toEqual([121.25]);
    expect(labels('right').length).toBe(3);
    expect(labels('left').length).toBe(2);
  });

  test.each<[string, ChartInput['cohort']]>([
    ['is not shared', null],
    ['has no figures', nothing],
  ])('says nothing of a cohort that %s', (_, none) => {
    const { option, lines, labels } = draw({ cohort: none });
    expect(lines('dotted')).toEqual([]);
    expect(labels('left')).toEqual([]);
    expect(option.yAxis.offset).toBe(0);
    expect(JSON.stringify(option)).not.toMatch(/cohort/i);
  });

  test('says nothing of heart rates when there are none, not even those of the cohort', () => {
    const { option, title, names, lines } = draw({
      readings: readings(30, { heart_rate: null }),
      own: { ...own, heart_rate: null },
    });
    expect(names).toEqual(['Systolic', 'Diastolic']);
    expect(title).toBe('Blood pressure / 30 readings, 19 Aug 2026 – 17 Sep 2026');
    expect(lines('dotted')).toEqual([121.25, 75]);
    expect(JSON.stringify(option)).not.toMatch(/heart|bpm/i);
  });

  test('leaves out the point of a single heart rate that is missing', () => {
    const some = [...readings(2), ...readings(1, { time: start + 2 * day, heart_rate: null })];
    expect(draw({ readings: some }).option.series.map(({ data }) => data.length)).toEqual([
      3, 3, 2,
    ]);
  });

  test('draws more readings than it has pixels as a rolling mean in a band from lowest to highest', () => {
    const { option } = draw({ readings: readings(3000) });
    const [systolic] = option.series;
    expect(systolic?.showSymbol).toBe(false);
    const means = systolic?.data.flatMap(([, value]) => value ?? []) ?? [];
    expect(means.length).toBeLessThan(300);
    for (const mean of means) expect(Math.abs(mean - 114)).toBeLessThan(0.6);
    const bands = option.graphic.filter((element) => element.type === 'polygon');
    expect(bands.length).toBe(3);
    // 110 to 118 on an axis whose numbers are known.
    const { min, max } = option.yAxis;
    const y = (value: number) => 870 - ((value - min) / (max - min)) * 670;
    const edges = bands[0]?.shape.points.map(([, at]) => at ?? 0) ?? [];
    expect(Math.min(...edges)).toBeCloseTo(y(118), 5);
    expect(Math.max(...edges)).toBeCloseTo(y(110), 5);
    expect(notes(option)).toEqual([
      'Lines: rolling mean; bands: lowest to highest reading around it.',
    ]);
  });

  test('draws every reading while there are fewer than pixels', () => {
    const { option } = draw({ readings: readings(500) });
    expect(option.series[0]?.data.length).toBe(500);
    expect(option.graphic.some((element) => element.type === 'polygon')).toBe(false);
    expect(notes(option)).toEqual([]);
  });
});

describe('The title', () => {
  test.each<[string, Reading[], string]>([
    ['one reading', readings(1), '1 reading, 19 Aug 2026'],
    ['two readings', readings(2), '2 readings, 19 Aug 2026 – 20 Aug 2026'],
    ['thousands', readings(3000), '3,000 readings, 19 Aug 2026 – 4 Nov 2034'],
    ['no dates', readings(30, { time: null }), '30 readings'],
    [
      'a missing date',
      [...readings(2), ...readings(1, { time: null })],
      '3 readings, 19 Aug 2026 – 20 Aug 2026',
    ],
    ['nothing', [], 'No readings'],
  ])('counts and dates %s', (_, list, words) => {
    expect(draw({ readings: list }).option.title.subtext).toBe(words);
  });
});

describe('The horizontal axis', () => {
  test('puts readings in order of time', () => {
    const { option } = draw({ readings: readings(3).toReversed() });
    expect(option.series[0]?.data).toEqual([
      [start, 110],
      [start + day, 111],
      [start + 2 * day, 112],
    ]);
    expect(option.xAxis.min).toBeLessThan(start);
    expect(option.xAxis.max).toBeGreaterThan(start + 2 * day);
  });

  test('has room around a single reading', () => {
    const { option } = draw({ readings: readings(1) });
    expect(option.xAxis.min).toBeLessThan(start);
    expect(option.xAxis.max).toBeGreaterThan(start);
    expect(option.xAxis.axisTick.customValues.length).toBeGreaterThan(1);
  });

  test('counts readings that have no time, in the order given', () => {
    const { option } = draw({ readings: readings(3, { time: null }).toReversed() });
    expect(option.xAxis.name).toBe('Number of the reading');
    expect(option.series[0]?.data).toEqual([
      [1, 112],
      [2, 111],
      [3, 110],
    ]);
  });

  test('stays one of time when a reading has none, which is left out and said so below', () => {
    const { option } = draw({
      readings: [...readings(1, { time: null, systolic: 150 }), ...readings(2).toReversed()],
    });
    expect(option.series[0]?.data).toEqual([
      [start, 110],
      [start + day, 111],
    ]);
    expect('name' in option.xAxis).toBe(false);
    expect(option.yAxis.max).toBeLessThan(150);
    expect(notes(option)).toEqual([
      '1 reading without a date counts in the average but is not drawn.',
    ]);
    const two = [...readings(2, { time: null }), ...readings(2)];
    expect(notes(draw({ readings: two }).option)).toEqual([
      '2 readings without a date count in the averages but are not drawn.',
    ]);
  });
});
