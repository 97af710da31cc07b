import { describe, expect, test } from 'vitest';
import type { MeasureName, Reading } from '../analysis/reading.js';
import type { StudyPeriod } from '../base/study-period.js';
import { type ChartInput, planChart } from './chart-plan.js';
import { drawSvg, spreadLabels } from './chart-svg.js';
import { colours, ink } from './svg.js';

const day = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 7, 19, 9, 15);
const own = { systolic: 120, diastolic: 80, heart_rate: 60 };
const cohort = { systolic: 126.25, diastolic: 70, heart_rate: 66 };
const nothing = { systolic: null, diastolic: null, heart_rate: null };

/** One a day: by turns 120, 80 and 60, and 100, 70 and no heart rate. */
function readings(count: number, change: Partial<Reading> = {}): Reading[] {
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * day,
    offset: 0,
    systolic: index % 2 === 0 ? 120 : 100,
    diastolic: index % 2 === 0 ? 80 : 70,
    heart_rate: index % 2 === 0 ? 60 : null,
    ...change,
  }));
}

interface Element {
  name: string;
  attributes: Record<string, string>;
  words: string;
}

/** The picture, with its elements in the order in which they are painted. */
function draw(change: Partial<ChartInput> = {}) {
  const svg = drawSvg(planChart({ readings: readings(3), own, cohort, ...change }));
  const elements = [...svg.matchAll(/<(path|text)((?: [\w-]+="[^"]*")*)>([^<]*)/g)].map(
    ([, name = '', attributes = '', words = '']): Element => ({
      name,
      words,
      attributes: Object.fromEntries(
        [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
      ),
    }),
  );
  const texts = elements.filter(({ name }) => name === 'text');
  const paths = (wanted: Record<string, string>) =>
    elements.filter(
      ({ name, attributes }) =>
        name === 'path' &&
        Object.entries(wanted).every(([key, value]) => attributes[key] === value),
    );
  const ofAverage = (dashes: string, measure: MeasureName) =>
    paths({ 'stroke-dasharray': dashes, stroke: colours[measure].dark });
  return {
    svg,
    texts,
    paths,
    words: texts.map(({ words }) => words),
    /** What is written below the plot. */
    notes: texts.flatMap(({ attributes, words }) => (Number(attributes['y']) > 480 ? [words] : [])),
    labels: (side: 'left' | 'right') =>
      // Text left of the plot ends at its anchor, text right of it starts there.
      texts.filter(
        ({ attributes }) =>
          attributes['paint-order'] === 'stroke' &&
          (attributes['text-anchor'] === 'end') === (side === 'left'),
      ),
    lines: (measure: MeasureName) =>
      paths({ stroke: colours[measure].bright }).filter(
        ({ attributes }) => !isOfLegend(attributes),
      ),
    marks: (measure: MeasureName) =>
      paths({ fill: colours[measure].bright }).filter(({ attributes }) => !isOfLegend(attributes)),
    dashed: (measure: MeasureName) => ofAverage('7 4', measure),
    dotted: (measure: MeasureName) => ofAverage('0.5 4', measure),
  };
}

/** The legend stands above everything that is drawn of the readings. */
function isOfLegend({ d = '' }: Record<string, string>): boolean {
  return (placesOf(d)[0]?.[1] ?? 0) < 60;
}

function placesOf(d = ''): number[][] {
  return [...d.matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/* By hand: of 60 to 126.25 the span is 70.225 with air, 58 to 128.2, and 55 to 130 at whole fives. */
const yOf = (value: number) => 442 - ((value - 55) / 75) * 328;
const from = '2026-08-01';
const measures = ['systolic', 'diastolic', 'heart_rate'] as const;

describe('The picture', () => {
  test('has a title, the days, a legend, axes and averages, and says nothing else', () => {
    const { words } = draw({ readings: readings(30) });
    expect(words.slice(0, 2)).toEqual([
      'Blood pressure and heart rate',
      '30 readings, 19 Aug 2026 – 17 Sep 2026',
    ]);
    for (const name of ['Systolic', 'Diastolic', 'Heart rate']) expect(words).toContain(name);
    expect(words).toContain('Blood pressure (mm Hg) and heart rate (bpm)');
    const allowed =
      /^(Blood pressure.*|(Systolic|Diastolic|Heart rate)( [\d.]+)?|Own average|Cohort average|30 readings, .*|\d+( [A-Z][a-z]{2})?)$/;
    for (const word of words) expect(word).toMatch(allowed);
  });

  test('says nothing of a cohort that has no figures, or is not shared', () => {
    expect(draw({ cohort: nothing }).svg).not.toMatch(/cohort/i);
  });

  test('says nothing of heart rates when there are none, not even those of the cohort', () => {
    const { svg, words, lines } = draw({
      readings: readings(30, { heart_rate: null }),
      own: { ...own, heart_rate: null },
    });
    expect(words[0]).toBe('Blood pressure');
    expect(svg).not.toMatch(/heart|bpm/i);
    expect(lines('heart_rate')).toEqual([]);
  });

  test('has colours of its own, for no style sheet reaches it', () => {
    const { svg, paths } = draw();
    expect(svg).not.toMatch(/style|class|var\(|NaN|undefined|null|Infinity/);
    for (const { attributes } of paths({})) {
      expect(Object.values(attributes).join(' ')).toMatch(/#[0-9A-F]{6}/);
    }
  });

  test('draws every reading while there are fewer than pixels, else means, and says so', () => {
    expect(draw({ readings: readings(849) }).notes).toEqual([]);
    const odd = readings(1, { systolic: 171.5, diastolic: 63 });
    const many = draw({ readings: [...readings(849), ...odd], period: { from, until: null } });
    expect(many.notes).toEqual(['Lines: means of readings that lie close together.']);
    // They hide what lies apart, so the words have it.
    expect(many.words[2]).toBe(
      'Lowest to highest: systolic 100–171.5, diastolic 63–80, heart rate 60–60. Study period: from 1 Aug 2026 on',
    );
  });

  test('says which readings are not drawn', () => {
    const undated = readings(1, { time: null });
    expect(draw({ readings: [...undated, ...readings(2)] }).notes).toEqual([
      '1 reading without a date counts in the average but is not drawn.',
    ]);
    const { lines, dashed, notes, words } = draw({ readings: [...undated, ...undated] });
    expect([lines('systolic').length, dashed('systolic').length]).toEqual([0, 1]);
    expect(words).toContain('Systolic');
    expect(notes).toEqual(['2 readings without a date count in the averages but are not drawn.']);
  });

  test('has a line with marks for each measure, over time on one axis', () => {
    // Two days, and two hours of air to either side: 52 hours over 566 units.
    const { lines, marks, dashed, paths } = draw();
    const x = [2, 26, 50].map((hours) => 185 + (hours / 52) * 566);
    const [line, ...others] = lines('systolic');
    expect(others).toEqual([]);
    for (const [index, value] of [120, 100, 120].entries()) {
      const [atX, atY] = placesOf(line?.attributes['d'])[index] ?? [];
      expect(atX).toBeCloseTo(x[index] ?? 0, 1);
      expect(atY).toBeCloseTo(yOf(value), 1);
    }
    // The line lies below the averages, the marks above.
    const painted = [lines('systolic')[0], dashed('systolic')[0], marks('systolic')[0]];
    expect(paths({}).filter((path) => painted.includes(path))).toEqual(painted);
    for (const measure of measures) {
      expect(marks(measure)[0]?.attributes['d']?.match(/M/g)).toHaveLength(
        measure === 'heart_rate' ? 2 : 3,
      );
    }
  });

  test('has a number and a line across for each tick of its axis', () => {
    const { texts, paths } = draw();
    const heights = ['60', '70', '80', '90', '100', '110', '120', '130'].map((value) =>
      yOf(Number(value)),
    );
    const numbers = texts.filter(({ words: number }) => /^\d{2,3}$/.test(number));
    const across = paths({ stroke: ink.grid }).map(
      ({ attributes }) => placesOf(attributes['d'])[0],
    );
    for (const [index, height] of heights.entries()) {
      expect(Number(numbers[index]?.attributes['y'])).toBeCloseTo(height + 4, 0);
      expect(across[index]?.[1]).toBeCloseTo(height, 1);
    }
  });

  test('has the own averages dashed and labelled on the right, the cohort dotted on the left', () => {
    const { dashed, dotted, labels } = draw();
    for (const measure of measures) {
      for (const [lines, averages] of [
        [dashed(measure), own],
        [dotted(measure), cohort],
      ] as const) {
        const [from, to] = placesOf(lines[0]?.attributes['d']);
        expect([from?.[0], to?.[0]]).toEqual([185, 751]);
        expect(from?.[1]).toBeCloseTo(yOf(averages[measure]), 1);
        expect(to?.[1]).toBe(from?.[1]);
      }
    }
    const written = (['right', 'left'] as const).map((side) =>
      labels(side).map(({ words }) => words),
    );
    expect(written).toEqual([
      ['Own average', 'Systolic 120.0', 'Diastolic 80.0', 'Heart rate 60.0'],
      ['Cohort average', 'Systolic 126.3', 'Diastolic 70.0', 'Heart rate 66.0'],
    ]);
  });

  test('joins each label to its line, where the labels of close averages are moved apart', () => {
    const { labels, dashed } = draw({ own: { systolic: 80, diastolic: 80, heart_rate: 80 } });
    const [, , edge, , end] = placesOf(dashed('heart_rate')[0]?.attributes['d']);
    expect(edge?.[0]).toBe(751);
    expect(end?.[0]).toBe(772);
    expect(Number(labels('right').at(-1)?.attributes['y'])).toBeCloseTo((end?.[1] ?? 0) + 4, 1);
  });

  test('keeps the labels of the cohort between the plot and the axis numbers', () => {
    const labels = draw().labels('left');
    expect(labels).toHaveLength(4);
    for (const { attributes, words } of labels) {
      expect(Number(attributes['x'])).toBe(185 - 21 - 4.5);
      // The letters of our font are six wide.
      expect(Number(attributes['x']) - words.length * 6).toBeGreaterThan(50);
    }
  });

  test('has no line and no label for a figure that is null', () => {
    const { dashed, dotted, labels } = draw({
      own: { ...own, diastolic: null },
      cohort: nothing,
    });
    expect(measures.map((measure) => dashed(measure).length)).toEqual([1, 0, 1]);
    expect(labels('right')).toHaveLength(3);
    expect(measures.flatMap((measure) => dotted(measure))).toEqual([]);
    expect(labels('left')).toEqual([]);
  });

  test('draws the finer, the closer the readings are', () => {
    // 566 units: 9 for each of 62, 3 for each of 188.
    const looks = [62, 63, 188, 189].map((count) => {
      const { lines, marks } = draw({ readings: readings(count) });
      return [lines('systolic')[0]?.attributes['stroke-width'], marks('systolic').length];
    });
    expect(looks).toEqual([
      ['1.75', 1],
      ['1.25', 1],
      ['1.25', 1],
      ['1', 0],
    ]);
  });
});

describe('The home average', () => {
  const twiceADay = readings(21).flatMap((reading) => [reading, reading]);

  test('stands in the words below the title, and its days are marked on the axis', () => {
    const { words, paths, lines } = draw({ readings: twiceADay });
    // Twelve readings of the last six of seven days: by turns 120 / 80 and 100 / 70. The mean of all is 110.5.
    expect(words[1]).toBe('42 readings, 19 Aug 2026 – 8 Sep 2026; home average 110.0 / 75.0');
    expect(words).toContain('Days of the home average');
    const week = paths({ stroke: ink.axis, 'stroke-width': '4' });
    const [from, to] = placesOf(week.at(-1)?.attributes['d']);
    const places = placesOf(lines('systolic')[0]?.attributes['d']);
    expect(from?.[0]).toBeCloseTo(places[30]?.[0] ?? 0, 0);
    expect(to?.[0]).toBeCloseTo(places[41]?.[0] ?? 0, 0);
    expect([from?.[1], to?.[1]]).toEqual([442, 442]);
  });
});

const hours = { from: '2026-08-01T00:30:00+02:00', until: '2026-08-31T20:00:00+02:00' };
test.each<[string, Reading[], string]>([
  ['one reading', readings(1), '1 reading, 19 Aug 2026'],
  ['thousands', readings(3000), '3,000 readings, 19 Aug 2026 – 4 Nov 2034'],
  ['nothing', [], 'No readings'],
])('The title counts and dates %s', (_, list, words) => {
  expect(draw({ readings: list }).words[1]).toBe(words);
});

test.each<[string, StudyPeriod]>([
  ['from 1 Aug 2026 on', { from, until: null }],
  ['1 Aug 2026 to 31 Aug 2026', hours],
])('The study period has a line of its own: %s', (words, period) => {
  expect(draw({ readings: [], period }).words.slice(1, 3)).toEqual([
    'No readings',
    `Study period: ${words}`,
  ]);
});

test.each<[string, number[], number[]]>([
  ['labels exactly a gap apart', [200, 217], [200, 217]],
  ['two close ones', [300, 310], [300, 317]],
  ['three at one place', [300, 300, 300], [300, 317, 334]],
  ['labels at the lower edge', [400, 440, 442], [400, 425, 442]],
  ['all at the lower edge', [442, 442, 442], [408, 425, 442]],
])('spreads %s', (_, heights, places) => {
  expect(spreadLabels(heights)).toEqual(places);
});

test('noise in the cohort averages stands above them, and a note says what it is', () => {
  const noise = { systolic: 120, diastolic: 80, heart_rate: 80 };
  const { words, notes } = draw({ noise });
  expect(words).toContain('Cohort ± 120 / 80 / 80');
  expect(words).not.toContain('Cohort average');
  expect(notes).toEqual(['± is the noise in the cohort average.']);
  expect(draw({ noise: nothing }).words).toContain('Cohort average');
  // Of a measure that no reading has, nothing is drawn.
  const without = draw({ noise, readings: readings(3, { heart_rate: null }) });
  expect(without.words).toContain('Cohort ± 120 / 80');
});
