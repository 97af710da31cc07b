import { describe, expect, test } from 'vitest';
import type { MeasureName } from '../../analysis/reading.js';
import type { ChartDocument, ReadingPoint } from '../../documents/chart-document.js';
import { layOutChart } from './chart-layout.js';
import type { Look } from './marks.js';

const day = 86_400_000;
const start = Date.UTC(2026, 7, 19, 9, 15);
const own = { systolic: 120, diastolic: 80, heart_rate: 60 };
const cohort = { systolic: 121.25, diastolic: 70, heart_rate: 66 };
const none = { systolic: null, diastolic: null, heart_rate: null };
const [width, height] = [1000, 388];

const frame = { schema_version: 1, positions: 'time', undated_count: 0, own, cohort } as const;

/** One a day: by turns 120, 80 and 60, and 100, 70 and no heart rate. */
function readings(count: number): ChartDocument & { drawn: 'readings' } {
  const points = Array.from(
    { length: count },
    (_, index): ReadingPoint => ({
      at: start + index * day,
      systolic: index % 2 === 0 ? 120 : 100,
      diastolic: index % 2 === 0 ? 80 : 70,
      heart_rate: index % 2 === 0 ? 60 : null,
    }),
  );
  return { ...frame, reading_count: count, drawn: 'readings', points };
}

function layOut(figures: ChartDocument, across = width) {
  const layout = layOutChart(figures, across, height);
  const marksOf = (look: Look, measure?: MeasureName | null) =>
    layout.marks.filter(
      (mark) => mark.look === look && (measure === undefined || mark.measure === measure),
    );
  return {
    ...layout,
    words: layout.texts.map(({ text }) => text),
    labels: (side: 'left' | 'right') =>
      // Text left of the plot ends at its anchor, text right of it starts there.
      layout.texts.filter(
        ({ look, anchor }) => look === 'label' && (anchor === 'end') === (side === 'left'),
      ),
    marksOf,
    /** The first mark's path, as places. */
    path: (look: Look, measure: MeasureName) => placesOf(marksOf(look, measure)[0]?.d ?? ''),
  };
}

function placesOf(d: string): number[][] {
  return [...d.matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/*
 * By hand: "Heart rate 60.0" is 15 letters of 6.2, with a leader of 21 and two gaps of 4.5: 123. The
 * numbers take 36. So the plot goes from 159 to 877. Above it 26 and 18, below it 44: from 44 to 344.
 * Of 60 to 121.25 the span is 64.925 with air, 58.2 to 123.1, and 55 to 125 at whole fives.
 */
const plot = { left: 159, right: 877, top: 44, bottom: 344 };
const yOf = (value: number) => 344 - ((value - 55) / 70) * 300;

describe('The chart', () => {
  test('has a line with marks for each measure, over time on one axis', () => {
    // Two days, and two hours of air to either side: 52 hours over 718 pixels.
    const { plot: box, path, marksOf } = layOut(readings(3));
    expect(box).toEqual(plot);
    const x = [2, 26, 50].map((hours) => 159 + (hours / 52) * 718);
    for (const [index, value] of [120, 100, 120].entries()) {
      const [atX, atY] = path('line', 'systolic')[index] ?? [];
      expect(atX).toBeCloseTo(x[index] ?? 0, 1);
      expect(atY).toBeCloseTo(yOf(value), 1);
    }
    for (const measure of ['systolic', 'diastolic', 'heart_rate'] as const) {
      expect(marksOf('line', measure)).toHaveLength(1);
      expect(marksOf('mark', measure)[0]?.d.match(/M/g)).toHaveLength(
        measure === 'heart_rate' ? 2 : 3,
      );
    }
  });

  test('joins the readings around one without a heart rate', () => {
    const { path, marksOf } = layOut(readings(3));
    expect(path('line', 'heart_rate')).toHaveLength(2);
    expect(marksOf('line', 'heart_rate')[0]?.d.match(/M/g)).toHaveLength(1);
  });

  test('names what its axis counts, and has a line across for each round number', () => {
    const { texts, marksOf } = layOut(readings(3));
    expect(texts[0]?.text).toBe('Blood pressure (mm Hg) and heart rate (bpm)');
    // 70 over 300 pixels: 32 pixels are 7.5, and the next round number is 10.
    const numbers = texts.filter(({ text }) => /^\d+$/.test(text) && text !== '2026');
    expect(numbers.map(({ text }) => text)).toEqual(['60', '70', '80', '90', '100', '110', '120']);
    expect(marksOf('grid')).toHaveLength(7);
    expect(numbers[0]?.y).toBeCloseTo(yOf(60) + 4, 6);
  });

  test('has the own averages dashed and labelled on the right, the cohort dotted on the left', () => {
    const { path, labels } = layOut(readings(3));
    for (const [look, averages] of [
      ['dashed', own],
      ['dotted', cohort],
    ] as const) {
      for (const measure of ['systolic', 'diastolic', 'heart_rate'] as const) {
        const [from, to] = path(look, measure);
        expect([from?.[0], to?.[0]]).toEqual([159, 877]);
        expect(from?.[1]).toBeCloseTo(yOf(averages[measure]), 1);
        expect(to?.[1]).toBe(from?.[1]);
      }
    }
    expect(labels('right').map(({ text }) => text)).toEqual([
      'Own average',
      'Systolic 120.0',
      'Diastolic 80.0',
      'Heart rate 60.0',
    ]);
    expect(labels('left').map(({ text }) => text)).toEqual([
      'Cohort average',
      'Systolic 121.3',
      'Diastolic 70.0',
      'Heart rate 66.0',
    ]);
  });

  test('keeps the labels of close averages apart, joined to their lines', () => {
    const close = { systolic: 80, diastolic: 80, heart_rate: 80 };
    const { labels, path } = layOut({ ...readings(3), own: close });
    // The middle one stands at its line, the others 17 above and below it.
    const [heading, ...rest] = labels('right').map(({ y }) => y);
    const { y: scale } = layOut({ ...readings(3), own: close });
    const middle = scale(80);
    expect(heading).toBe(44 - 16 + 4);
    for (const [index, away] of [-17, 0, 17].entries()) {
      expect(rest[index]).toBeCloseTo(middle + away + 4, 6);
    }
    const [, , edge, , end] = path('dashed', 'heart_rate');
    expect(edge).toEqual([877, Number(middle.toFixed(2))]);
    expect(end).toEqual([898, Number((middle + 17).toFixed(2))]);
  });

  test('keeps the labels of the cohort between the plot and the axis numbers', () => {
    const labels = layOut(readings(3)).labels('left');
    expect(labels).toHaveLength(4);
    for (const { x, text } of labels) {
      expect(x).toBe(159 - 21 - 4.5);
      // The letters of our font are six wide.
      expect(x - text.length * 6).toBeGreaterThan(30);
    }
  });

  test('has values without names where there is less room, and nothing beside a phone’s plot', () => {
    const tablet = layOut(readings(3), 800);
    expect(tablet.labels('right').map(({ text }) => text)).toEqual([
      'Own average',
      '120.0',
      '80.0',
      '60.0',
    ]);
    // Five letters: 61 to either side.
    expect(tablet.plot).toMatchObject({ left: 97, right: 739 });
    const phone = layOut(readings(3), 330);
    expect(phone.plot).toEqual({ left: 36, right: 318, top: 26, bottom: 344 });
    expect(phone.labels('right')).toEqual([]);
    expect(phone.marksOf('dashed')).toHaveLength(3);
    expect(phone.marksOf('dotted')).toHaveLength(3);
  });

  test('has no line, no label and no room for a figure that is null', () => {
    const {
      marksOf,
      labels,
      plot: box,
    } = layOut({
      ...readings(3),
      own: { ...own, diastolic: null },
      cohort: none,
    });
    expect(marksOf('dashed').map(({ measure }) => measure)).toEqual([
      null,
      'systolic',
      'heart_rate',
    ]);
    expect(labels('right')).toHaveLength(3);
    expect(marksOf('dotted')).toEqual([]);
    expect(labels('left')).toEqual([]);
    expect(box.left).toBe(36);
  });

  test('says nothing of heart rates when there are none', () => {
    const figures = readings(3);
    const { words, recorded, marks } = layOut({
      ...figures,
      own: { ...own, heart_rate: null },
      cohort: { ...cohort, heart_rate: null },
      points: figures.points.map((point) => ({ ...point, heart_rate: null })),
    });
    expect(recorded).toEqual(['systolic', 'diastolic']);
    expect(words.join()).not.toMatch(/heart|bpm/i);
    expect(marks.some(({ measure }) => measure === 'heart_rate')).toBe(false);
  });

  test('draws the finer, the closer the readings are', () => {
    // 718 pixels: 9 for each of 79, 3 for each of 239.
    const looks = [79, 80, 239, 240].map((count) => {
      const { marks } = layOut(readings(count));
      return marks.filter(({ measure }) => measure === 'systolic').map(({ look }) => look);
    });
    expect(looks).toEqual([
      ['line', 'dashed', 'dotted', 'mark'],
      ['thin', 'dashed', 'dotted', 'mark'],
      ['thin', 'dashed', 'dotted', 'mark'],
      ['fine', 'dashed', 'dotted'],
    ]);
  });

  test('draws rolling means in a band from lowest to highest, with their gaps', () => {
    const mean = { mean: 100, low: 90, high: 110 };
    const figures: ChartDocument = {
      ...{ ...frame, reading_count: 3000, own: none, cohort: none },
      drawn: 'rolling_mean',
      points: [mean, mean, null, mean, mean].map((systolic, index) => ({
        ...none,
        at: start + index * day,
        systolic,
      })),
    };
    const { path, marksOf, places, recorded, banded } = layOut(figures);
    expect(banded).toBe(true);
    // Nothing is to be read in the gap, and of what nobody recorded.
    expect(places.map(({ at }) => (at - start) / day)).toEqual([0, 1, 3, 4]);
    expect(recorded).toEqual(['systolic']);
    // From end to end without air, which the means have had. Of 90 to 110 the span is the least, 30.
    const y = (value: number) => 344 - ((value - 85) / 30) * 318;
    expect(path('line', 'systolic')).toEqual(
      [36, 274, 750, 988].map((x) => [x, Number(y(100).toFixed(1))]),
    );
    const band = path('band', 'systolic');
    expect(Math.min(...band.map(([, at = 0]) => at))).toBeCloseTo(y(110), 1);
    expect(Math.max(...band.map(([, at = 0]) => at))).toBeCloseTo(y(90), 1);
    for (const look of ['band', 'line'] as const) {
      expect(marksOf(look)[0]?.d.match(/M/g)).toHaveLength(2);
    }
    expect(marksOf('mark')).toEqual([]);
  });
});

describe('The horizontal axis', () => {
  test('has room around a single reading', () => {
    const { places, words } = layOut(readings(1));
    expect(places.map(({ x }) => x)).toEqual([(159 + 877) / 2]);
    // 07:15 to 11:15, and 718 pixels have room for 13 labels.
    expect(words).toContain('07:30');
    expect(words).toContain('11:00');
  });

  test('is thicker where the home average rests on its readings, and nowhere without one', () => {
    expect(layOut(readings(5)).marksOf('week')).toEqual([]);
    const { marksOf, places } = layOut({
      ...readings(5),
      home: { from: start + 2 * day, to: start + 4 * day },
    });
    const [from, to] = [places[2]?.x, places[4]?.x].map((x) => Number(x?.toFixed(2)));
    expect(placesOf(marksOf('week', null)[0]?.d ?? '')).toEqual([
      [from, plot.bottom],
      [to, plot.bottom],
    ]);
  });

  test('counts readings that have no time', () => {
    const points = [1, 2, 3].map((at) => ({ ...none, at, systolic: 120, diastolic: 80 }));
    const { words, places } = layOut({
      ...frame,
      reading_count: 3,
      positions: 'order',
      drawn: 'readings',
      points,
    });
    expect(words.filter((word) => /^\d$/.test(word))).toEqual(['1', '2', '3']);
    expect(words).toContain('Number of the reading');
    // From 0 to 4.
    expect(places.map(({ x }) => x)).toEqual([159 + 179.5, 159 + 359, 159 + 538.5]);
  });

  test('of a picture without any reading is as wide as ever', () => {
    const { words, marksOf, places } = layOut({
      ...{ ...frame, reading_count: 0, own: none, cohort: none },
      positions: 'order',
      drawn: 'readings',
      points: [],
    });
    expect(places).toEqual([]);
    expect(marksOf('line')).toEqual([]);
    expect(words).toContain('100');
  });
});
