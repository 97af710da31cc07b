import { expect, test } from 'vitest';
import { sampleAverage } from '../../test/support/published-sample.js';
import { samplePod } from '../../test/support/results-sample.js';
import type { PodAverageDocument } from '../documents/published-document.js';
import type { PodRecord } from '../documents/results-document.js';
import type { StoredReading } from './readings.js';
import { renderReport } from './report.js';

const figures = { systolic: 128.25, diastolic: 82, heart_rate: 64 };
const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const person = 'https://pods.example/anna/profile/card#me';

const own: PodRecord = {
  ...samplePod('pods.example.org-anna'),
  observation_count: 40,
  files_skipped: 2,
  first_observation: '2026-03-01T07:00:00.000',
  last_observation: '2026-04-01T19:00:00.000+10:00',
  notes: ['1 reading is outside the plausible limits and was left out.'],
};

function result(changes: Partial<PodAverageDocument> = {}): PodAverageDocument {
  return {
    ...sampleAverage(own, '2026-05-02T10:00:30.000+00:00'),
    average: figures,
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

const report = (document: PodAverageDocument, readings: readonly StoredReading[] = []) =>
  renderReport(document, readings, { person });

test('it tells whose figures they are, of what and when, and what was left out', () => {
  const period = { from: '2026-03-01', until: null };
  const page = report(result({ period }), [stored(1), stored(2, { reading: null })]);
  for (const fact of [
    `<h1>Blood pressure</h1>\n<p>${person}</p>`,
    '<p>Worked out 2026-05-02 10:00 UTC by https://pods.example.org/analyser/profile/card#me. 40 readings behind the averages, 2026-03-01 to 2026-04-01; the Pod now holds 1.</p>',
    '<p>Study period: from 2026-03-01 on.</p>',
    '<p>1 reading is outside the plausible limits and was left out.</p>',
    '<p>2 files could not be read by the service.</p>',
    '<p>1 file could not be read for the list below.</p>',
    'The service had 12 Pods at this analysis; ',
    'It is not a value to aim at.</p>',
  ]) {
    expect(page).toContain(fact);
  }
});

test('the average of a week and that of some days have names of their own', () => {
  const days = {
    from: '2026-03-25',
    to: '2026-03-31',
    days: 6,
    readings: 24,
    average: figures,
    morning: figures,
    evening: null,
    first_day_left_out: true,
  };
  const { pod } = result();
  const home = report(result({ pod: { ...pod, home: days } }));
  expect(rowsOf(home).slice(1, 6)).toEqual([
    ['average of the readings that count', '128.3', '82.0', '64.0'],
    ['home average', '128.3', '82.0', '64.0'],
    ['– morning', '128.3', '82.0', '64.0'],
    ['– evening', '–', '–', '–'],
    ['cohort average', '128.3', '82.0', '64.0'],
  ]);
  const recent = report(result({ pod: { ...pod, recent: days } }));
  expect(rowsOf(recent)[2]?.[0]).toBe('recent average');
  expect(recent).not.toContain('>home average<');
});

test('the last thirty readings are listed by the clock of each, newest first', () => {
  const many = Array.from({ length: 31 }, (_, index) => stored(index + 1));
  const page = report(result(), many);
  expect(page).toContain('<h2>The last 30 readings of the Pod</h2>');
  const rows = rowsOf(page).slice(4);
  expect(rows).toHaveLength(30);
  // 21:30 UTC is 07:30 of the next day, ten hours ahead.
  expect(rows[0]).toEqual(['2026-04-01 07:30', '131', '80', '–', '']);
  expect(rows.at(-1)?.[0]).toBe('2026-03-03 07:30');
});

test('for a range, its readings are listed, with their average beside those of the analysis', () => {
  const range = { from: '2026-03-03', until: '2026-03-05' };
  // 21:30 UTC is 07:30 of the next day, ten hours ahead: those of the 2nd to the 4th, whose mean is 103.
  const days = [1, 2, 3, 4, 5].map((day) => stored(day, { notes: 'a note' }));
  const odd = { time: Date.UTC(2026, 2, 3), offset: 0, diastolic: 80, heart_rate: 60 };
  const left = [
    stored(6, { reading: { ...odd, systolic: 400 } }),
    stored(7, { reading: { ...odd, systolic: 150, time: null } }),
  ];
  const page = renderReport(result(), [...days, ...left], { person, range });
  const rows = rowsOf(page).slice(1);
  expect(rows.map(([label, systolic]) => [label, systolic])).toEqual([
    ['average of the readings that count', '128.3'],
    ['cohort average', '128.3'],
    ['average 2026-03-03 to 2026-03-05', '103.0'],
    ['time on the clock', 'systolic (mm Hg)'],
    ['2026-03-05 07:30', '104'],
    ['2026-03-04 07:30', '103'],
    ['2026-03-03 07:30', '102'],
  ]);
  expect(page).toContain('<h2>3 readings 2026-03-03 to 2026-03-05</h2>');
  expect(page).toContain(
    '<p>The average 2026-03-03 to 2026-03-05 was worked out for this page, from 3 readings in the Pod ',
  );
  expect(page).not.toContain('a note');
});

test('of a range that holds more than fits on paper, the newest hundred are listed', () => {
  const many = Array.from({ length: 101 }, (_, index) => stored(index));
  const range = { from: '2026-01-01', until: null };
  const page = renderReport(result(), many, { person, range });
  expect(page).toContain('<h2>101 readings from 2026-01-01 on, the earliest 1 not listed</h2>');
  expect(page.match(/<td>2026-/g)).toHaveLength(100);
});

test('a reading that shows no clock has its day alone, one without a date says so', () => {
  const base = { systolic: 120, diastolic: 80, heart_rate: 60 };
  const page = report(result(), [
    stored(1, { reading: { ...base, time: null, offset: null } }),
    stored(2, { reading: { ...base, time: Date.UTC(2026, 2, 2), offset: null } }),
  ]);
  const times = rowsOf(page)
    .slice(4)
    .map(([time]) => time);
  expect(times).toEqual(['2026-03-02', 'no time']);
});

test('[T36] it can run nothing, asks for nothing, and is printed on A4', () => {
  expect(report(result()).split('<title>')[0]).toContain(
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">`,
  );
  expect(report(result())).toContain('@page { size: A4;');
  expect(report(result())).not.toMatch(/<(script|link|iframe)|(src|href)="(?!data:)/);
});

test('[T36] what people wrote stays text', () => {
  const hostile = `<script>alert('1')</script>&"`;
  const { pod } = result();
  const page = renderReport(
    result({ pod: { ...pod, notes: [hostile] } }),
    [stored(1, { notes: hostile })],
    { person: hostile },
  );
  expect(page).not.toContain('<script');
  const escaped = '&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;&#34;';
  // The title, the heading, the note of the service and that of the reading.
  expect(page.split(escaped)).toHaveLength(5);
});

test('[T36] only a PNG is shown as the chart', () => {
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

test('without a figure of the cohort nothing is said of its average', () => {
  const nothing = { systolic: null, diastolic: null, heart_rate: null };
  const cohort = { pod_count: 25, average_of_averages: nothing, pooled_average: nothing };
  const page = report(result({ cohort }));
  expect(page).not.toContain('The cohort average comes from');
  expect(page).toContain('The cohort has a dash (–) where too few Pods have a figure');
  const some = { ...cohort, average_of_averages: { ...nothing, systolic: 120 } };
  expect(report(result({ cohort: some }))).toContain('The cohort average comes from');
  expect(report(result({ cohort: { ...some, pod_count: 1 } }))).toContain(
    '<p>At this analysis you were the only one who shares readings with this service, so the cohort average is yours.</p>',
  );
});

test('noise in the cohort average is told with it, and then it is nobody’s own', () => {
  const cohort = { pod_count: 1, average_of_averages: figures, pooled_average: figures };
  const cohort_noise = { systolic: 120, diastolic: 80, heart_rate: null };
  const page = report(result({ cohort, cohort_noise }));
  expect(rowsOf(page)[3]).toEqual(['noise up to ±', '120.0', '80.0', '–']);
  expect(page).toContain('Random noise was added to the cohort average');
  expect(page).not.toContain('so the cohort average is yours');
  expect(report(result({ cohort }))).not.toContain('noise');
});

test('readings that were corrected since are said to be others than those behind the averages', () => {
  const changed =
    'they have changed since, or not all of them count. The averages and the chart are of then';
  const measure = (average: number) => {
    return { average, minimum: average, maximum: average, standard_deviation: 0, count: 1 };
  };
  const none = { ...measure(0), average: null, minimum: null, maximum: null };
  const nothing = { ...none, standard_deviation: null, count: 0 };
  const measures = { systolic: measure(101), diastolic: measure(80), heart_rate: nothing };
  const document = result({ pod: { ...result().pod, observation_count: 1, measures } });
  expect(report(document, [stored(1)])).not.toContain(changed);
  expect(report(document, [stored(2)])).toContain(changed);
  expect(report(document, [])).toContain(changed);
});

test('a Pod without readings has no list of them', () => {
  expect(report(result())).not.toContain('The last');
});
