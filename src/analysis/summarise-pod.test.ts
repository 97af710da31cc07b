import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reading } from './reading.js';
import { summarisePod } from './summarise-pod.js';
import { type AnalysisRules, addReadingSums, sumReadings } from './sums.js';

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const now = Date.UTC(2026, 8, 30, 12);
const rules: AnalysisRules = {
  now,
  windowDays: null,
  period: null,
};

function reading(values: Partial<Reading>): Reading {
  return { time: now - day, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60, ...values };
}

function summarise(readings: Reading[], changed: Partial<AnalysisRules> = {}, incomplete = 0) {
  const all = { ...rules, ...changed };
  const { sums, readings: counted } = sumReadings({ readings, incomplete }, all);
  return { summary: summarisePod(sums, all), counted };
}

/**
 * Forty readings whose figures follow from formulas: systolic 100, 101, … 139 (mean 119.5,
 * variance (40² − 1) / 12 = 133.25), diastolic 70 and 80 in turn (75, deviation 5), and a
 * heart rate in every second one, 60 and 64 in turn (62, deviation 2).
 */
const forty = Array.from({ length: 40 }, (_, index) => ({
  time: now - (40 - index) * day,
  offset: 0,
  systolic: 100 + index,
  diastolic: index % 2 === 0 ? 70 : 80,
  heart_rate: index % 2 === 0 ? null : index % 4 === 1 ? 60 : 64,
}));

/** Some of them implausible. */
const measure = fc.double({ min: 30, max: 310, noNaN: true });
const anyReading = fc.record({
  time: fc.option(fc.integer({ min: now - 30 * day, max: now })),
  offset: fc.constant(0),
  systolic: measure,
  diastolic: measure,
  heart_rate: fc.option(measure),
});

describe('The figures of a Pod', () => {
  test('[5.12] are those of forty readings with known statistics', () => {
    const { summary, counted } = summarise(forty);
    expect(counted).toEqual(forty);
    expect(summary).toEqual({
      observation_count: 40,
      first_observation: '2026-08-21T12:00:00.000+00:00',
      last_observation: '2026-09-29T12:00:00.000+00:00',
      measures: {
        systolic: {
          average: 119.5,
          minimum: 100,
          maximum: 139,
          // The root of 133.25 is 11.5434….
          standard_deviation: 11.54,
          count: 40,
        },
        diastolic: { average: 75, minimum: 70, maximum: 80, standard_deviation: 5, count: 40 },
        heart_rate: { average: 62, minimum: 60, maximum: 64, standard_deviation: 2, count: 20 },
      },
      notes: [],
    });
  });

  test('[5.12] are rounded to two decimals', () => {
    const { measures } = summarise([
      reading({ systolic: 118 }),
      reading({ systolic: 118 }),
      reading({ systolic: 119 }),
    ]).summary;
    // 355 / 3, and the variance of two zeros and a one, 2/9.
    expect(measures.systolic.average).toBe(118.33);
    expect(measures.systolic.standard_deviation).toBe(0.47);
  });

  test('of one reading have no deviation', () => {
    const { measures } = summarise([reading({ heart_rate: null })]).summary;
    expect(measures.systolic).toEqual({
      average: 120,
      minimum: 120,
      maximum: 120,
      standard_deviation: 0,
      count: 1,
    });
    expect(measures.heart_rate).toEqual({
      average: null,
      minimum: null,
      maximum: null,
      standard_deviation: null,
      count: 0,
    });
  });

  test('[5.12] are the same to the last bit in any order of the readings', () => {
    fc.assert(
      fc.property(fc.array(anyReading), fc.func(fc.integer()), (list, key) => {
        const shuffled = list.toSorted((a, b) => key(a) - key(b));
        expect(summarise(shuffled).summary).toEqual(summarise(list).summary);
      }),
    );
  });

  test('[5.12] of a hundred thousand readings stay exact', () => {
    // 128.2 and 128.6 in turn: mean 128.4, deviation 0.2. A hundred times 128.2 is a little less than 12,820.
    const many = Array.from({ length: 100_000 }, (_, i) =>
      reading({ systolic: i % 2 === 0 ? 128.2 : 128.6 }),
    );
    const { systolic } = summarise(many).summary.measures;
    expect(systolic.average).toBe(128.4);
    expect(systolic.standard_deviation).toBe(0.2);
  });
});

test('[5.12] parts of a Pod taken together say what the whole says', () => {
  const changed = { ...rules, windowDays: 14 };
  const part = fc.record({ readings: fc.array(anyReading), incomplete: fc.nat({ max: 3 }) });
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const merged = addReadingSums(parts.map((one) => sumReadings(one, changed).sums));
      const readings = parts.flatMap((one) => one.readings);
      const incomplete = parts.reduce((sum, one) => sum + one.incomplete, 0);
      const whole = summarise(readings, changed, incomplete).summary;
      expect(summarisePod(merged, changed)).toEqual(whole);
    }),
  );
});

describe('Implausible readings', () => {
  test.each<[string, Partial<Reading>]>([
    ['systolic too low', { systolic: 39.9 }],
    ['systolic too high', { systolic: 301 }],
    ['diastolic too low', { diastolic: 19 }],
    ['diastolic too high', { diastolic: 201 }],
    ['heart rate too low', { heart_rate: 0 }],
    ['heart rate too high', { heart_rate: 251 }],
  ])('[4.13] are left out and noted: %s', (_, values) => {
    const { summary, counted } = summarise([reading({}), reading(values)]);
    expect(counted).toEqual([reading({})]);
    expect(summary.observation_count).toBe(1);
    expect(summary.notes).toEqual(['1 reading is outside the plausible limits and was left out.']);
  });

  test('do not include the limits themselves', () => {
    const edges = [
      reading({ systolic: 40, diastolic: 20, heart_rate: 20 }),
      reading({ systolic: 300, diastolic: 200, heart_rate: 250 }),
    ];
    expect(summarise(edges).counted).toEqual(edges);
    expect(summarise(edges).summary.notes).toEqual([]);
  });
});

describe('A window of seven days', () => {
  const window = { windowDays: 7 };

  test('counts readings up to seven days old, and not older ones', () => {
    const edge = reading({ time: now - 7 * day });
    const older = reading({ time: now - 7 * day - 1 });
    const { summary, counted } = summarise([older, edge, older], window);
    expect(counted).toEqual([edge]);
    expect(summary.first_observation).toBe('2026-09-23T12:00:00.000+00:00');
    expect(summary.notes).toEqual(['2 readings are not from the last 7 days and were left out.']);
  });

  test('counts a reading from a zone ahead of UTC, and not one from next week', () => {
    const ahead = [reading({ time: now + 14 * hour }), reading({ time: now + day })];
    const late = [reading({ time: now + day + 1 }), reading({ time: now + 7 * day })];
    expect(summarise([...ahead, ...late], window).counted).toEqual(ahead);
  });

  test('does not count a reading without a known time', () => {
    const { summary } = summarise([reading({ time: null })], window);
    expect(summary.observation_count).toBe(0);
    expect(summary.notes).toEqual(['1 reading has no known time and was left out.']);
  });

  test('is not there without window_days: every reading counts', () => {
    const all = [reading({ time: null }), reading({ time: 0 }), reading({ time: now + 7 * day })];
    expect(summarise(all).counted).toEqual(all);
    expect(summarise(all).summary.first_observation).toBe('1970-01-01T00:00:00.000+00:00');
  });
});

describe('A study period', () => {
  const period = { from: '2026-09-20', until: '2026-09-29' };
  const before = reading({ time: Date.UTC(2026, 8, 19, 23, 59) });
  const first = reading({ time: Date.UTC(2026, 8, 20) });
  const last = reading({ time: Date.UTC(2026, 8, 29, 23, 59) });

  test('counts readings of its days, and none without a known time', () => {
    const undated = reading({ time: null });
    const { summary, counted } = summarise([before, first, last, undated], { period });
    expect(counted).toEqual([first, last]);
    expect(summary.notes).toEqual([
      '1 reading has no known time and was left out.',
      '1 reading is not from the study period (2026-09-20 to 2026-09-29) and was left out.',
    ]);
  });

  test('that begins at a moment is compared with the clock, where its zone is unknown', () => {
    const eight = Date.UTC(2026, 8, 20, 8);
    const known = reading({ time: eight - 10 * hour, offset: 600 });
    const unknown = reading({ time: eight, offset: 'unknown' });
    const early = { ...unknown, time: eight - 1 };
    const from = { period: { from: '2026-09-20T08:00:00+10:00', until: null } };
    expect(summarise([known, unknown, early], from).counted).toEqual([known, unknown]);
  });

  test('and a window: the narrower holds', () => {
    const { summary, counted } = summarise([first, last], { period, windowDays: 7 });
    expect(counted).toEqual([last]);
    expect(summary.notes).toEqual([
      '1 reading is not from the last 7 days within the study period (2026-09-20 to 2026-09-29) and was left out.',
    ]);
  });
});

test('Entries that are no readings are noted', () => {
  expect(summarise([], {}, 2).summary.notes).toEqual([
    '2 readings have no systolic or no diastolic value and were left out.',
  ]);
});
