import { describe, expect, test } from 'vitest';
import { averageAtHome } from './home.js';
import { describeHomeDays, describeShortage } from './home-words.js';
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

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => `2026-11-${String(index + 1).padStart(2, '0')}`);

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
    const home = averageAtHome(readings);
    expect(home).toEqual({
      from: '2026-11-02',
      to: '2026-11-07',
      days: 6,
      readings: 24,
      average: figures([128, 82, 64]),
      morning: figures([130, 84, 66]),
      evening: figures([126, 80, 62]),
      first_day_left_out: true,
      sufficient: true,
    });
  });

  test('weights every reading alike, not every day', () => {
    const readings = [
      ...['01', '02', '03'].map((day) => at(`2026-11-${day}T08:00:00`, [150, 90, null])),
      ...dayOf('2026-11-04', [120, 75, 60], [120, 75, 70]),
    ];
    // Without the first day (150 + 150 + 4 × 120) / 6, (90 + 90 + 4 × 75) / 6, (2 × 60 + 2 × 70) / 4.
    expect(averageAtHome(readings)?.average).toEqual(figures([130, 80, 65]));
  });

  test('takes the last seven days that have readings, whatever lies between them', () => {
    const readings = ['01', '03', '05', '08', '11', '15', '20', '27', '29'].map((day) =>
      at(`2026-11-${day}T08:00:00`, [Number(day) + 100, 80, null]),
    );
    // The seven are 5, 8, 11, 15, 20, 27 and 29; the 5th is left out.
    expect(averageAtHome(readings)).toMatchObject({
      from: '2026-11-08',
      to: '2026-11-29',
      days: 6,
      readings: 6,
      average: { systolic: 100 + (8 + 11 + 15 + 20 + 27 + 29) / 6 },
      evening: null,
    });
  });

  test('reaches back thirty days from the newest, and no further', () => {
    const last = at('2026-11-30T08:00:00');
    const before = (day: string) => averageAtHome([at(`${day}T23:59:00`), last]);
    expect(before('2026-10-31')).toMatchObject({ from: '2026-10-31', days: 2 });
    expect(before('2026-10-30')).toMatchObject({ from: '2026-11-30', days: 1 });
  });

  test('leaves the first day out where three others remain', () => {
    const of = (count: number) => averageAtHome(days(count).map((day) => at(`${day}T08:00:00`)));
    expect(of(3)).toMatchObject({ days: 3, first_day_left_out: false, from: '2026-11-01' });
    expect(of(4)).toMatchObject({ days: 3, first_day_left_out: true, from: '2026-11-02' });
  });

  test('of one day is that day, and not sufficient however many its readings', () => {
    const readings = Array.from({ length: 40 }, (_, index) =>
      at(`2026-11-01T${String(index % 24).padStart(2, '0')}:00:00`),
    );
    expect(averageAtHome(readings)).toMatchObject({
      from: '2026-11-01',
      to: '2026-11-01',
      days: 1,
      readings: 40,
      sufficient: false,
    });
  });

  test('is the same in whatever order the readings come', () => {
    const readings = days(7).flatMap((day, index) =>
      dayOf(day, [120.1 + index, 80, 60], [119.7, 70 + index / 3, null]),
    );
    expect(averageAtHome(readings.toReversed())).toEqual(averageAtHome(readings));
  });

  test('is null where no reading has a date, and leaves out those that have none', () => {
    const undated = at('');
    expect(averageAtHome([])).toBeNull();
    expect(averageAtHome([undated, undated])).toBeNull();
    expect(averageAtHome([undated, at('2026-11-01T08:00:00')])).toMatchObject({ readings: 1 });
  });
});

describe('The wall clock of a reading', () => {
  test('says its day and its half of the day, not the instant', () => {
    // Late in the evening in Auckland, still the morning of that day in UTC.
    const inAuckland = ['01', '02', '03'].map((day) => at(`2026-11-${day}T23:30:00+13:00`));
    expect(averageAtHome(inAuckland)).toMatchObject({
      from: '2026-11-01',
      to: '2026-11-03',
      morning: null,
      evening: figures([120, 80, 60]),
    });
    // The evening of 1 November on Niue, already 2 November in UTC.
    const onNiue = at('2026-11-01T20:00:00-11:00');
    expect(averageAtHome([onNiue])).toMatchObject({ from: '2026-11-01', to: '2026-11-01' });
  });

  test('shows the hour that is repeated when the clocks go back twice on one day', () => {
    // 02:30 in summer time, 02:30 in winter time, and midnight of both ends of the day of 25 hours.
    const readings = ['00:00:00+02:00', '02:30:00+02:00', '02:30:00+01:00', '23:59:59+01:00'];
    expect(averageAtHome(readings.map((clock) => at(`2026-10-25T${clock}`)))).toMatchObject({
      from: '2026-10-25',
      to: '2026-10-25',
      days: 1,
      readings: 4,
      morning: figures([120, 80, 60]),
      evening: null,
    });
  });

  test('shows three days around the lost hour when the clocks go forward', () => {
    const readings = ['28T23:59:00+01:00', '29T00:30:00+01:00', '29T03:01:00+02:00'];
    expect(averageAtHome(readings.map((clock) => at(`2026-03-${clock}`)))).toMatchObject({
      from: '2026-03-28',
      to: '2026-03-29',
      days: 2,
    });
  });

  test('has its noon in the evening, and the minute before it in the morning', () => {
    const three = (clock: string) => averageAtHome([at(clock), at(clock), at(clock)]);
    expect(three('2026-11-01T12:00:00')).toMatchObject({ morning: null, evening: {} });
    expect(three('2026-11-01T11:59:59.999')).toMatchObject({ morning: {}, evening: null });
  });

  test('counts every one of several readings in a minute', () => {
    const minute = [130, 124, 121].map((systolic) => at('2026-11-01T07:00:00', [systolic, 80, 60]));
    expect(averageAtHome(minute)).toMatchObject({ readings: 3, morning: { systolic: 125 } });
    expect(averageAtHome(minute.slice(1))).toMatchObject({ readings: 2, morning: null });
  });

  test('is unknown where the text shows a day alone, which still has its day', () => {
    const readings = ['01', '02', '03'].map((day) => at(`2026-11-${day}`));
    expect(averageAtHome(readings)).toMatchObject({ days: 3, morning: null, evening: null });
  });
});

describe('What is missing', () => {
  const shortage = (readings: Reading[]) => {
    const home = averageAtHome(readings);
    return home === null ? undefined : describeShortage(home);
  };
  const threeADay = (count: number) =>
    days(count).flatMap((day) => ['07:00', '07:01', '19:00'].map((clock) => at(`${day}T${clock}`)));

  test.each([
    [1, 'not enough readings yet: 0 of 3 days, the first day not counted'],
    [3, 'not enough readings yet: 2 of 3 days, the first day not counted'],
    [4, 'not enough readings yet: 9 of 12 readings, the first day not counted'],
    [5, null],
  ])('of %i days with three readings each: %j', (count, sentence) => {
    expect(shortage(threeADay(count))).toBe(sentence);
  });
});

test.each([
  [1, '1 day on 2026-11-01, 4 readings'],
  [3, '3 days from 2026-11-01 to 2026-11-03, 12 readings'],
  [7, '6 days from 2026-11-02 to 2026-11-07, 24 readings, the first day left out'],
])('A home average of %i days says what it rests on', (count, sentence) => {
  const home = averageAtHome(days(count).flatMap((day) => dayOf(day, [1, 1, 1], [1, 1, 1])));
  expect(home && describeHomeDays(home)).toBe(sentence);
});
