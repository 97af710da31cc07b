import { describe, expect, test } from 'vitest';
import type { Reading } from '../analysis/reading.js';
import type { PodAverageDocument } from '../documents/published-document.js';
import type { StoredReading } from './readings.js';
import { renderReport } from './report.js';

const figures = { systolic: 128.25, diastolic: 82, heart_rate: 64 };
const measure = { average: 100, minimum: 60, maximum: 140, standard_deviation: 20, count: 40 };
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const person = 'https://pods.example/anna/profile/card#me';

function result(changes: Partial<PodAverageDocument> = {}): PodAverageDocument {
  return {
    schema_version: 1,
    kind: 'pod-average',
    generated_at: '2026-05-02T10:00:30.000+00:00',
    analyser_web_id: 'https://pods.example/analyser/profile/card#me',
    units: { systolic: 'mm Hg', diastolic: 'mm Hg', heart_rate: 'bpm' },
    average: figures,
    pod: {
      observation_count: 40,
      measures: { systolic: measure, diastolic: measure, heart_rate: measure },
      files_read: 40,
      files_skipped: 2,
      first_observation: '2026-03-01T07:00:00.000',
      last_observation: '2026-04-01T19:00:00.000+10:00',
      home: null,
      recent: null,
      notes: ['1 reading is outside the plausible limits and was left out.'],
    },
    cohort: { pod_count: 12, average_of_averages: figures, pooled_average: figures },
    ...changes,
  };
}

function stored(day: number, changes: Partial<StoredReading> = {}): StoredReading {
  const time = Date.UTC(2026, 2, day, 21, 30);
  const reading = { time, offset: 600, systolic: 100 + day, diastolic: 80, heart_rate: null };
  return { url: `https://pods.example/${day}`, reading, notes: '', problem: '', ...changes };
}

/** The text of each row's cells. */
function rowsOf(page: string): string[][] {
  return [...page.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell),
  );
}

const report = (of: PodAverageDocument, readings: readonly StoredReading[] = []) =>
  renderReport(of, readings, { person });

test('it tells whose figures they are, of what and when, and what was left out', () => {
  const period = { from: '2026-03-01', until: null };
  const page = report(result({ period }), [stored(1), stored(2, { reading: null })]);
  for (const fact of [
    `<dd>${person}</dd>`,
    '<dd>40 readings, 2026-03-01 to 2026-04-01</dd>',
    '<dd>from 2026-03-01 on</dd>',
    '<dd>2026-05-02 10:00 UTC, by https://pods.example/analyser/profile/card#me</dd>',
    '<li>1 reading is outside the plausible limits and was left out.</li>',
    '<li>2 files could not be read by the service.</li>',
    '<li>1 file could not be read for the lists below.</li>',
    'The service had 12 Pods at this analysis; ',
    'It is not a value to aim at.',
  ]) {
    expect(page).toContain(fact);
  }
});

test('the average of a week and that of some days have names of their own', () => {
  const days = {
    ...{ from: '2026-03-25', to: '2026-03-31', days: 6, readings: 24 },
    ...{ average: figures, morning: figures, evening: null, first_day_left_out: true },
  };
  const { pod } = result();
  const home = report(result({ pod: { ...pod, home: days } }));
  expect(rowsOf(home).slice(1)).toEqual([
    ['Average of the readings that count', '128.3', '82.0', '64.0'],
    ['Home average', '128.3', '82.0', '64.0'],
    ['Morning', '128.3', '82.0', '64.0'],
    ['Evening', '–', '–', '–'],
    ['Cohort average', '128.3', '82.0', '64.0'],
  ]);
  const recent = report(result({ pod: { ...pod, recent: days } }));
  expect(rowsOf(recent)[2]?.[0]).toBe('Recent average');
  expect(recent).not.toContain('>Home average<');
});

test('the last thirty readings are listed by the clock of each, newest first', () => {
  const many = Array.from({ length: 31 }, (_, index) => stored(index + 1));
  const page = report(result(), many);
  expect(page).toContain('<h2>The last 30 readings</h2>');
  const rows = rowsOf(page).slice(4);
  expect(rows).toHaveLength(30);
  // 21:30 UTC is 07:30 of the next day, ten hours ahead.
  expect(rows[0]).toEqual(['2026-04-01 07:30', '131', '80', '–', '']);
  expect(rows.at(-1)?.[0]).toBe('2026-03-03 07:30');
});

test('a reading that shows no clock has its day alone, one without a date says so', () => {
  const base = { systolic: 120, diastolic: 80, heart_rate: 60 };
  const page = report(result(), [
    stored(1, { reading: { ...base, time: null, offset: null } }),
    stored(2, { reading: { ...base, time: Date.UTC(2026, 2, 2), offset: null } }),
  ]);
  expect(page).toContain('<h2>Readings</h2>');
  expect(
    rowsOf(page)
      .slice(4)
      .map(([time]) => time),
  ).toEqual(['2026-03-02', 'no time']);
});

test('what people wrote stays text', () => {
  const hostile = `<script>alert('1')</script>&"`;
  const { pod } = result();
  const page = renderReport(
    result({ pod: { ...pod, notes: [hostile] } }),
    [stored(1, { notes: hostile })],
    { person: hostile },
  );
  expect(page).not.toContain('<script');
  const escaped = '&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;&#34;';
  // The title, the person, the note of the service and that of the reading.
  expect(page.split(escaped)).toHaveLength(5);
});

test('only a PNG is shown as the chart', () => {
  const chart = (bytes: Buffer) => ({
    chart: { format: 'png' as const, encoding: 'base64' as const, data: bytes.toString('base64') },
  });
  const png = Buffer.concat([signature, Buffer.from('rest')]);
  expect(report(result(chart(png)))).toContain(
    `<img src="data:image/png;base64,${png.toString('base64')}"`,
  );
  expect(report(result(chart(Buffer.from('<svg onload="alert(1)">'))))).not.toContain('<img');
  expect(report(result())).not.toContain('<img');
});

describe('A reading that is not behind the figures', () => {
  const base = { systolic: 120, diastolic: 80, heart_rate: 60, offset: 'unknown' as const };
  const at = (day: string, changes: Partial<Reading> = {}) =>
    stored(1, { reading: { ...base, time: Date.parse(`${day}T09:15:00Z`), ...changes } });
  const { pod } = result();
  const heartless = { ...measure, minimum: null, maximum: null, average: null };

  test.each([
    ['a value that nobody has', {}, at('2026-03-10', { systolic: 999 }), 'not plausible'],
    ['a high value', {}, at('2026-03-10', { systolic: 140.01 }), 'systolic above all that count'],
    ['a low value', {}, at('2026-03-10', { diastolic: 59 }), 'diastolic below all that count'],
    [
      'a heart rate where none counts',
      { pod: { ...pod, measures: { ...pod.measures, heart_rate: heartless } } },
      at('2026-03-10'),
      'none with a heart rate counts',
    ],
    ['an early day', {}, at('2026-02-28'), 'before the first reading that counts'],
    ['a late day', {}, at('2026-04-02'), 'after the last reading that counts'],
    [
      'a day before',
      { period: { from: '2026-03-05', until: null } },
      at('2026-03-04'),
      'outside the study period',
    ],
    [
      'a clock before that of the period',
      // At 09:15 without a zone; 08:30 UTC.
      { period: { from: '2026-03-05T09:30:00+01:00', until: null } },
      at('2026-03-05'),
      'outside the study period',
    ],
    [
      'no date',
      { period: { from: '2026-03-05', until: null } },
      at('', { time: null }),
      'no known time',
    ],
  ])('because of %s is listed apart, with the reason', (_what, changes, reading, reason) => {
    const page = report(result(changes), [reading, at('2026-03-20', { heart_rate: null })]);
    const [readings = '', apart = ''] = page.split('<h2>Readings that do not count</h2>');
    expect(rowsOf(readings).at(-1)?.[0]).toBe('2026-03-20 09:15');
    const [heads, ...rows] = rowsOf(apart);
    expect(heads?.at(-1)).toBe('Why, and notes');
    expect(rows.map((row) => row.at(-1))).toEqual([`<div class="why">${reason}</div>`]);
  });

  test.each([
    [
      'with the lowest and highest values',
      {},
      at('2026-03-10', { systolic: 140.004, diastolic: 60 }),
    ],
    ['without a date, where there is no period', {}, at('', { time: null })],
    [
      'of a service that takes more',
      { pod: { ...pod, measures: { ...pod.measures, systolic: { ...measure, maximum: 310 } } } },
      at('2026-03-10', { systolic: 305 }),
    ],
    [
      'of an earlier version, which tells no time',
      { pod: { ...pod, first_observation: undefined, last_observation: undefined } },
      at('2020-03-10'),
    ],
  ])('is none %s', (_what, changes, reading) => {
    expect(report(result(changes), [reading])).not.toContain('do not count');
  });

  test('leaves room for those that count: each list has thirty of its own', () => {
    const inside = Array.from({ length: 31 }, () => at('2026-03-10'));
    const outside = Array.from({ length: 31 }, () => at('2026-05-10'));
    const page = report(result(), [...outside, ...inside]);
    expect(page).toContain('<h2>The last 30 readings</h2>');
    expect(page).toContain('<h2>The last 30 readings that do not count</h2>');
  });
});

test.each([
  [40, null],
  [41, 'The Pod now has 41 that can be among them; the result does not say which of them are.'],
  [39, 'The Pod now has 39 that can be among them.'],
])('of 40 readings behind the averages and %i in the Pod the difference is told', (count, told) => {
  const page = report(
    result(),
    Array.from({ length: count }, () => stored(5)),
  );
  if (told === null) expect(page).not.toContain('The averages rest on');
  else expect(page).toContain(`<p>The averages rest on 40 readings. ${told}</p>`);
});

test('without a figure of the cohort nothing is said of its average', () => {
  const nothing = { systolic: null, diastolic: null, heart_rate: null };
  const cohort = { pod_count: 25, average_of_averages: nothing, pooled_average: nothing };
  const page = report(result({ cohort }));
  expect(page).not.toContain('The cohort average comes from');
  expect(page).toContain('The cohort has a dash (–) where too few Pods have a figure');
  const some = { ...cohort, average_of_averages: { ...nothing, systolic: 120 } };
  expect(report(result({ cohort: some }))).toContain('The cohort average comes from');
});
