import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { averagesOfLatest } from './home.js';
import { describeLatest } from './home-words.js';
import type { Reading } from './reading.js';
import { parseTime } from './reading-time.js';

type Values = [systolic: number, diastolic: number, heartRate: number | null];

function at(timestamp: string, [systolic, diastolic, heart_rate]: Values = [120, 80, 60]): Reading {
  const { time, offset } = parseTime(timestamp) ?? { time: null, offset: null };
  return { time, offset, systolic, diastolic, heart_rate };
}

/** Two in the morning and two in the evening, as the guidelines ask for. */
function dayOf(day: string, morning: Values, evening: Values): Reading[] {
  return [
    at(`${day}T07:00:00`, morning),
    at(`${day}T07:01:00`, morning),
    at(`${day}T19:00:00`, evening),
    at(`${day}T19:01:00`, evening),
  ];
}

const dayOfMonth = (day: number) => `2026-11-${String(day).padStart(2, '0')}`;
const days = (count: number) => Array.from({ length: count }, (_, index) => dayOfMonth(index + 1));

const atHome = (readings: readonly Reading[]) => averagesOfLatest(readings).home;
const ofLate = (readings: readonly Reading[]) => averagesOfLatest(readings).recent;

const figures = ([systolic, diastolic, heart_rate]: Values) => ({
  systolic,
  diastolic,
  heart_rate,
});

describe('The home average', () => {
  test('of a week as the guidelines ask for is that of six days', () => {
    const [first = '', ...rest] = days(7);
    const readings = [
      // Nervous on the first day, which does not count.
      ...dayOf(first, [170, 110, 90], [170, 110, 90]),
      ...rest.flatMap((day) => dayOf(day, [130, 84, 66], [126, 80, 62])),
    ];
    expect(averagesOfLatest(readings)).toEqual({
      home: {
        from: '2026-11-02',
        to: '2026-11-07',
        days: 6,
        readings: 24,
        average: figures([128, 82, 64]),
        morning: figures([130, 84, 66]),
        evening: figures([126, 80, 62]),
        first_day_left_out: true,
      },
      recent: null,
    });
  });

  test('weights every reading alike, not every day', () => {
    const readings = [
      ...['01', '02', '03'].flatMap((day) => [
        at(`2026-11-${day}T08:00:00`, [150, 90, null]),
        at(`2026-11-${day}T08:01:00`, [150, 90, null]),
      ]),
      ...dayOf('2026-11-04', [120, 75, 60], [120, 75, 70]),
      ...dayOf('2026-11-04', [120, 75, 60], [120, 75, 70]),
    ];
    // Without the first day (4 × 150 + 8 × 120) / 12, (4 × 90 + 8 × 75) / 12, (4 × 60 + 4 × 70) / 8.
    expect(atHome(readings)?.average).toEqual(figures([130, 80, 65]));
  });

  test('takes three days and twelve readings without the first day, which counts where no three others remain', () => {
    const of = (count: number, perDay: number) =>
      averagesOfLatest(
        days(count).flatMap((day) => Array.from({ length: perDay }, () => at(`${day}T08:00`))),
      );
    expect(of(3, 40)).toMatchObject({ home: null, recent: { days: 3, first_day_left_out: false } });
    const recent = { days: 3, readings: 9, first_day_left_out: true, from: '2026-11-02' };
    expect(of(4, 3)).toMatchObject({ home: null, recent });
    expect(of(4, 4)).toMatchObject({ home: { days: 3, readings: 12 }, recent: null });
    expect(of(7, 1)).toMatchObject({ home: null, recent: { days: 6, readings: 6 } });
    expect(of(7, 2)).toMatchObject({ home: { days: 6, readings: 12 }, recent: null });
  });

  test('is of days within ten, whatever lies between them', () => {
    const of = (...some: number[]) =>
      averagesOfLatest(some.flatMap((day) => dayOf(dayOfMonth(day), [1, 1, 1], [1, 1, 1])));
    expect(of(1, 4, 7, 10)).toMatchObject({ home: { from: '2026-11-04', to: '2026-11-10' } });
    expect(of(1, 4, 7, 11)).toMatchObject({ home: null, recent: { from: '2026-11-04' } });
    // Readings of now and then over a month are no week of readings at home, however many they are.
    expect(of(1, 6, 11, 16, 21, 26, 30)).toMatchObject({ home: null, recent: { readings: 24 } });
  });

  test('is of the newest week that lies no more than thirty days before the newest reading', () => {
    const week = days(7).flatMap((day) => dayOf(day, [1, 1, 1], [1, 1, 1]));
    const home = { from: '2026-11-02', to: '2026-11-07', readings: 24 };
    expect(averagesOfLatest([...week, at('2026-12-07T08:00')])).toMatchObject({
      home,
      recent: null,
    });
    expect(averagesOfLatest([...week, at('2026-12-08T08:00')])).toMatchObject({
      home: null,
      recent: { from: '2026-12-08', days: 1, readings: 1 },
    });
    const newer = ['21', '22', '23', '24'].flatMap((day) =>
      dayOf(`2026-11-${day}`, [1, 1, 1], [1, 1, 1]),
    );
    expect(atHome([...week, ...newer])).toMatchObject({ from: '2026-11-22', to: '2026-11-24' });
  });

  test('takes more of the ten days where seven have too few readings', () => {
    const of = (counts: number[]) =>
      atHome(
        counts.flatMap((count, index) =>
          Array.from({ length: count }, () => at(`${dayOfMonth(index + 1)}T08:00`)),
        ),
      );
    expect(of([2, 2, 2, 2, 1, 2, 2, 2])).toMatchObject({ from: '2026-11-02', readings: 13 });
    expect(of([2, 2, 2, 2, 2, 2, 2, 2])).toMatchObject({ from: '2026-11-03', readings: 12 });
  });

  test('counts a day that has only begun when it adds', () => {
    const week = days(7).flatMap((day) => [at(`${day}T07:00`), at(`${day}T19:00`)]);
    expect(atHome(week)).toMatchObject({ days: 6, readings: 12 });
    expect(atHome([...week, at('2026-11-08T07:00')])).toMatchObject({
      from: '2026-11-02',
      to: '2026-11-08',
      days: 7,
      readings: 13,
    });
    const evening = [at('2026-11-08T07:00'), at('2026-11-08T19:00')];
    expect(atHome([...week, ...evening])).toMatchObject({ from: '2026-11-03', readings: 12 });
    // Too far behind the others to be of one week with three of them.
    expect(atHome([...week, at('2026-11-14T07:00')])).toMatchObject({ to: '2026-11-07' });
  });

  test('is not taken away by a reading more, unless that is of more than thirty days later', () => {
    const day = fc.oneof(
      { arbitrary: fc.integer({ min: 1, max: 12 }), weight: 4 },
      { arbitrary: fc.integer({ min: 1, max: 60 }), weight: 1 },
    );
    const reading = day.map((days) => at(new Date(Date.UTC(2026, 9, days, 8)).toISOString()));
    const many = fc.array(reading, { minLength: 10, maxLength: 30, size: 'max' });
    let kept = 0;
    fc.assert(
      fc.property(many, reading, (readings, added) => {
        const [before, after] = [atHome(readings), atHome([...readings, added])];
        if (before === null) return;
        const last = Date.parse(before.to);
        const isFar = added.time !== null && added.time - last >= 31 * 86_400_000;
        if (isFar) return;
        kept += 1;
        expect(after).not.toBeNull();
      }),
      { numRuns: 3000 },
    );
    expect(kept).toBeGreaterThan(100);
  });

  test('is the same in whatever order the readings come', () => {
    const readings = days(7).flatMap((day, index) =>
      dayOf(day, [120.1 + index, 80, 60], [119.7, 70 + index / 3, null]),
    );
    expect(atHome(readings)).not.toBeNull();
    expect(averagesOfLatest(readings.toReversed())).toEqual(averagesOfLatest(readings));
  });
});

describe('The recent average', () => {
  test('takes the last seven days that have readings, whatever lies between them', () => {
    const readings = ['01', '03', '05', '08', '11', '15', '20', '27', '29'].flatMap((day) =>
      ['08:00', '08:01'].map((clock) =>
        at(`2026-11-${day}T${clock}`, [Number(day) + 100, 80, null]),
      ),
    );
    // The seven are 5, 8, 11, 15, 20, 27 and 29; the 5th is left out.
    expect(ofLate(readings)).toMatchObject({
      from: '2026-11-08',
      to: '2026-11-29',
      days: 6,
      readings: 12,
      // 100 and a sixth of 8 + 11 + 15 + 20 + 27 + 29.
      average: { systolic: 118.33 },
      evening: null,
    });
  });

  test('reaches back thirty days from the newest, and no further', () => {
    const last = at('2026-11-30T08:00:00');
    const before = (day: string) => ofLate([at(`${day}T23:59:00`), last]);
    expect(before('2026-10-31')).toMatchObject({ from: '2026-10-31', days: 2 });
    expect(before('2026-10-30')).toMatchObject({ from: '2026-11-30', days: 1 });
  });

  test('is there wherever a reading has a date and there is no home average, and leaves out those that have none', () => {
    const undated = at('');
    const none = { home: null, recent: null };
    expect(averagesOfLatest([])).toEqual(none);
    expect(averagesOfLatest([undated, undated])).toEqual(none);
    expect(ofLate([undated, at('2026-11-01T08:00:00')])).toMatchObject({ readings: 1 });
    const reading = fc.integer({ min: 1, max: 30 }).map((day) => at(dayOfMonth(day)));
    fc.assert(
      fc.property(fc.array(reading, { minLength: 1, maxLength: 40 }), (readings) => {
        const { home, recent } = averagesOfLatest(readings);
        expect(home === null).toBe(recent !== null);
      }),
    );
  });
});

describe('The wall clock of a reading', () => {
  test('says its day and its half of the day, not the instant', () => {
    // Late in the evening in Auckland, still the morning of that day in UTC.
    const inAuckland = ['01', '02', '03'].map((day) => at(`2026-11-${day}T23:30:00+13:00`));
    expect(ofLate(inAuckland)).toMatchObject({
      from: '2026-11-01',
      to: '2026-11-03',
      morning: null,
      evening: figures([120, 80, 60]),
    });
    // The evening of 1 November on Niue, already 2 November in UTC.
    const onNiue = at('2026-11-01T20:00:00-11:00');
    expect(ofLate([onNiue])).toMatchObject({ from: '2026-11-01', to: '2026-11-01' });
  });

  test('has its noon in the evening, and the minute before it in the morning', () => {
    const three = (clock: string) => ofLate([at(clock), at(clock), at(clock)]);
    expect(three('2026-11-01T12:00:00')).toMatchObject({ morning: null, evening: {} });
    expect(three('2026-11-01T11:59:59.999')).toMatchObject({ morning: {}, evening: null });
  });

  test('counts every one of several readings in a minute', () => {
    const minute = [130, 124, 121].map((systolic) => at('2026-11-01T07:00:00', [systolic, 80, 60]));
    expect(ofLate(minute)).toMatchObject({ readings: 3, morning: { systolic: 125 } });
    expect(ofLate(minute.slice(1))).toMatchObject({ readings: 2, morning: null });
  });

  test('is unknown where the text shows a day alone, which still has its day', () => {
    const readings = ['01', '02', '03'].map((day) => at(`2026-11-${day}`));
    expect(ofLate(readings)).toMatchObject({ days: 3, morning: null, evening: null });
  });
});

test.each([
  [
    1,
    'Recent average: 1 day on 2026-11-01, 4 readings. A home average takes four days within ten, and twelve readings without those of the first day.',
  ],
  [
    3,
    'Recent average: 3 days from 2026-11-01 to 2026-11-03, 12 readings. A home average takes four days within ten, and twelve readings without those of the first day.',
  ],
  [7, 'Home average: 6 days from 2026-11-02 to 2026-11-07, 24 readings, the first day left out.'],
])('An average of %i days says what it rests on', (count, sentence) => {
  const readings = days(count).flatMap((day) => dayOf(day, [1, 1, 1], [1, 1, 1]));
  expect(describeLatest(averagesOfLatest(readings))).toBe(sentence);
});

test('Nothing is said where there is neither average', () => {
  expect(describeLatest({})).toBeNull();
});
