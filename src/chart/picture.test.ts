import { describe, expect, test } from 'vitest';
import type { Reading } from '../analysis/reading.js';
import type { StudyPeriod } from '../base/study-period.js';
import { type ChartInput, planChart } from './chart-plan.js';
import { drawSvg } from './picture.js';

const day = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 7, 19, 9, 15);
const own = { systolic: 118, diastolic: 76, heart_rate: 64 };
const cohort = { systolic: 121.25, diastolic: 75, heart_rate: 66 };
const nothing = { systolic: null, diastolic: null, heart_rate: null };

function readings(count: number, change: Partial<Reading> = {}): Reading[] {
  return Array.from({ length: count }, (_, index) => ({
    time: start + index * day,
    offset: 0,
    systolic: 110 + (index % 9),
    diastolic: 70 + (index % 7),
    heart_rate: 60 + (index % 5),
    ...change,
  }));
}

function draw(change: Partial<ChartInput> = {}) {
  const { figures, span } = planChart({ readings: readings(30), own, cohort, ...change });
  const svg = drawSvg(figures, span);
  const texts = [...svg.matchAll(/<text[^>]* y="([\d.]+)"[^>]*>([^<]*)</g)];
  const words = texts.map(([, , text = '']) => text);
  return {
    ...{ svg, words, figures },
    /** What is written below the plot. */
    notes: texts.flatMap(([, y, text = '']) => (Number(y) > 480 ? [text] : [])),
  };
}

describe('The picture', () => {
  test('has a title, the days, a legend, axes and averages, and says nothing else', () => {
    const { words } = draw();
    expect(words.slice(0, 2)).toEqual([
      'Blood pressure and heart rate',
      '30 readings, 19 Aug 2026 – 17 Sep 2026',
    ]);
    for (const name of ['Systolic', 'Diastolic', 'Heart rate']) expect(words).toContain(name);
    const allowed =
      /^(Blood pressure.*|(Systolic|Diastolic|Heart rate)( [\d.]+)?|Own average|Cohort average|Days of the home average|30 readings, .*|\d+( [A-Z][a-z]{2})?)$/;
    for (const word of words) expect(word).toMatch(allowed);
  });

  test('says nothing of a cohort that has no figures, or is not shared', () => {
    expect(draw({ cohort: nothing }).svg).not.toMatch(/cohort/i);
  });

  test('says nothing of heart rates when there are none, not even those of the cohort', () => {
    const { svg, words } = draw({
      readings: readings(30, { heart_rate: null }),
      own: { ...own, heart_rate: null },
    });
    expect(words[0]).toBe('Blood pressure');
    expect(svg).not.toMatch(/heart|bpm/i);
  });

  test('has colours of its own, for no style sheet reaches it', () => {
    const { svg } = draw();
    for (const colour of ['#D55E00', '#0072B2', '#009E73']) expect(svg).toContain(colour);
    expect(svg).not.toMatch(/style|class|var\(/);
    // A background, and every path with a colour and nothing that was not worked out.
    for (const [path] of svg.matchAll(/<path[^>]*>/g)) expect(path).toMatch(/="#[0-9A-F]{6}"/);
    expect(svg).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  test('draws every reading while there are fewer than pixels, else rolling means, and says so', () => {
    const few = draw({ readings: readings(500) });
    expect(few.figures.drawn).toBe('readings');
    expect(few.notes).toEqual([]);
    const many = draw({ readings: readings(3000) });
    expect(many.figures.drawn).toBe('rolling_mean');
    expect(many.notes).toEqual([
      'Lines: rolling mean; bands: lowest to highest reading around it.',
    ]);
  });

  test('says which readings are not drawn', () => {
    const undated = (count: number) => [...readings(count, { time: null }), ...readings(2)];
    expect(draw({ readings: undated(1) }).notes).toEqual([
      '1 reading without a date counts in the average but is not drawn.',
    ]);
    expect(draw({ readings: undated(2) }).notes).toEqual([
      '2 readings without a date count in the averages but are not drawn.',
    ]);
  });
});

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
])('The title counts and dates %s', (_, list, words) => {
  expect(draw({ readings: list }).words[1]).toBe(words);
});

test('The title tells the study period', () => {
  const titleWith = (period: StudyPeriod) => draw({ readings: readings(1), period }).words[1];
  expect(titleWith({ from: '2026-08-01', until: null })).toBe(
    '1 reading, 19 Aug 2026; study period: from 1 Aug 2026 on',
  );
  const hours = { from: '2026-08-01T00:30:00+02:00', until: '2026-08-31T20:00:00+02:00' };
  expect(titleWith(hours)).toBe('1 reading, 19 Aug 2026; study period: 1 Aug 2026 to 31 Aug 2026');
});
