import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ClientError } from './client-error.js';
import { parseReadingsCsv, readReadingsCsv } from './readings-csv.js';

test('a CSV has its columns by name, in any order, with or without the last two', () => {
  const csv = '\uFEFFDiastolic,Systolic,Timestamp\r\n76,118,2026-08-19 09:15\r\n\r\n';
  expect(parseReadingsCsv(csv)).toEqual([
    {
      timestamp: '2026-08-19T09:15:00.000',
      systolic: 118,
      diastolic: 76,
      heartRate: null,
      notes: '',
    },
  ]);
});

test('all wrong rows of a CSV are told, ten of them by name', () => {
  const told = (count: number): readonly string[] => {
    const wrong = Array.from({ length: count }, () => '2026-08-19 09:15,high,76');
    const csv = ['timestamp,systolic,diastolic', '2026-08-18 09:15,118,76', ...wrong].join('\n');
    return linesOf(() => parseReadingsCsv(csv));
  };
  const named = (row: number): string =>
    `Row ${row} of the CSV: systolic: expected a number such as 120.5, above 0 and below 1000, got "high".`;
  const ten = Array.from({ length: 10 }, (_, index) => named(index + 3));
  expect(told(0)).toEqual([]);
  expect(told(2)).toEqual([named(3), named(4)]);
  expect(told(11)).toEqual([...ten, '… and 1 more row.']);
  expect(told(13)).toEqual([...ten, '… and 3 more rows.']);
});

test.each([
  [
    '',
    'The CSV has no column for the time in its first line; looked for "timestamp", "measurement date", "date".',
  ],
  [
    'timestamp,systolic\n',
    'The CSV has no column for the diastolic value in its first line; looked for "diastolic", "dia".',
  ],
  ['timestamp,systolic,diastolic\n"2026', 'The CSV has a quote that is never closed.'],
])('%j is no CSV of readings', (csv, sentence) => {
  expect(() => parseReadingsCsv(csv)).toThrow(sentence);
});

/** Made by hand: test/fixtures/README.md. */
const sample = (name: string) =>
  readFile(new URL(`../../test/fixtures/${name}.csv`, import.meta.url), 'utf8');

describe('Exports of devices', () => {
  test.each([
    ['withings', 'The file is an export of Withings, cells between commas', 'after the stairs'],
    [
      'withings-semicolons',
      'The file is an export of Withings, cells between semicolons, dates with the day first, decimal commas',
      '',
    ],
    ['omron', 'The file is an export of Omron, cells between commas', 'left arm'],
    [
      'omron-numbers',
      'The file is an export of Omron, cells between tabs, dates with the month first',
      '',
    ],
  ])('of the form %s', async (name, form, notes) => {
    const of = (day: string, figures: [number, number, number | null]) => ({
      timestamp: `2026-${day}.000`,
      systolic: figures[0],
      diastolic: figures[1],
      heartRate: figures[2],
    });
    const read = readReadingsCsv(await sample(name));
    expect(read.form).toBe(form);
    const systolic = name === 'withings-semicolons' ? 118.5 : 118;
    expect(read.readings).toEqual([
      { ...of('11-12T07:30:00', [systolic, 76, 64]), notes },
      { ...of('11-18T19:05:00', [121, 79, null]), notes: '' },
    ]);
  });

  const columns = 'Date,Systolic,Diastolic\n';

  test.each([
    ['18/11/2026 07:30', '2026-11-18T07:30:00.000'],
    ['11/18/2026 07:30 pm', '2026-11-18T19:30:00.000'],
    ['5.11.2026 12:05 AM', '2026-11-05T00:05:00.000'],
    ['18-11-2026 07:30', '2026-11-18T07:30:00.000'],
    ['2026/11/05 7:30', '2026-11-05T07:30:00.000'],
    ['5 Nov 2026 07:30', '2026-11-05T07:30:00.000'],
    ['November 5. 2026', null],
    ['31/11/2026', null],
    ['18/11/26', null],
    ['18/11/2026 24:30', null],
    ['18/11/2026 13:30 pm', null],
  ])('have the date %s', (date, timestamp) => {
    const read = () => parseReadingsCsv(`${columns}"${date}",118,76`);
    if (timestamp === null) expect(read).toThrow('Row 2 of the CSV: timestamp: expected a time');
    else expect(read()).toMatchObject([{ timestamp }]);
  });

  test.each([
    [
      '05/11/2026',
      '06/11/2026',
      'can be read with the day first and with the month first; write them as 2026-08-19.',
    ],
    ['18/11/2026', '11/18/2026', 'has dates with the day first and dates with the month first'],
  ])('with %s and %s are refused', (one, other, sentence) => {
    const csv = `${columns}${one},118,76\n${other},118,76`;
    expect(() => parseReadingsCsv(csv)).toThrow(sentence);
  });

  test.each([
    ['Date,Systolic (kPa),Diastolic (kPa)\n', 'its systolic in "kPa"; only mm Hg can be imported.'],
    ['Date,Systolic,Diastolic,Pulse (Hz)\n', 'its heart rate in "Hz"; only bpm can be imported.'],
    ['Date;Time;Pulse\n', 'no column for the systolic value in its first line; looked for "systol'],
    [`${columns}2026-11-18,118,5,76`, 'Row 2 of the CSV: it has more cells than the first line.'],
    [
      'Date;Systolic;Diastolic\n2026-11-18;118,5;76\n2026-11-19;118.5;76',
      'The CSV has decimals with a comma and decimals with a point.',
    ],
  ])('are refused with a sentence: %j', (csv, sentence) => {
    expect(() => parseReadingsCsv(csv)).toThrow(sentence);
  });
});

const header = 'timestamp,systolic,diastolic,heart_rate,notes\n';

test('rows with a day alone are refused, with what to do', () => {
  const rows = ['2026-06-01,150,95', '2026-06-01 19:00,120,75', '2026-06-02,1,1'];
  const csv = ['Date,Systolic,Diastolic', ...rows].join('\n');
  const refused = (row: number, day: string) =>
    `Row ${row} of the CSV: timestamp: a reading needs its time of day, which tells morning and evening apart; write it as 2026-08-19T09:15:00, got "${day}".`;
  expect(linesOf(() => readReadingsCsv(csv))).toEqual([
    refused(2, '2026-06-01'),
    refused(4, '2026-06-02'),
  ]);
  const withoutClock = 'Date;Time;Systolic;Diastolic;Pulse\n2026-06-01;-;150;95;60';
  expect(() => readReadingsCsv(withoutClock)).toThrow('a reading needs its time of day');
});

describe('Rows of one second', () => {
  const shown = (csv: string) => {
    const { readings, rows, repeated } = readReadingsCsv(csv);
    return {
      kept: readings.map(({ timestamp, systolic }, index) => [
        rows[index],
        timestamp.slice(0, 19),
        systolic,
      ]),
      repeated,
    };
  };

  test('with different values all stay, at seconds of their own, and it is asked', () => {
    const lines = [
      '2026-08-19 07:30,131,80,60,',
      '2026-08-19 07:30,128,80,60,',
      '2026-08-19 07:30:01,126,80,60,',
      '2026-08-19 07:30,124,80,60,',
      '2026-08-19 19:00,122,80,60,',
    ];
    const csv = header + lines.join('\n');
    expect(shown(csv)).toEqual({
      kept: [
        ['Row 2', '2026-08-19T07:30:00', 131],
        ['Row 3', '2026-08-19T07:30:02', 128],
        ['Row 4', '2026-08-19T07:30:01', 126],
        ['Row 5', '2026-08-19T07:30:03', 124],
        ['Row 6', '2026-08-19T19:00:00', 122],
      ],
      repeated: [],
    });
    const doubts = [
      'Rows 2, 3 and 5 have the same time, 2026-08-19T07:30:00, and different values. A Pod holds one reading for each second: the first of these rows keeps this second, each of the others is recorded at the next free one.',
    ];
    expect(readReadingsCsv(csv).doubts).toEqual(doubts);
    // Nobody is asked here.
    expect(linesOf(() => parseReadingsCsv(csv))).toEqual(doubts);
  });

  test('with the same values in all columns one stays, without a question', () => {
    const line = '2026-08-19 07:30,131,80,60,left arm';
    const csv = header + [line, '2026-08-19 07:31,131,80,60,left arm', line, line].join('\n');
    expect(shown(csv)).toEqual({
      kept: [
        ['Row 2', '2026-08-19T07:30:00', 131],
        ['Row 3', '2026-08-19T07:31:00', 131],
      ],
      repeated: ['Row 4', 'Row 5'],
    });
    expect(readReadingsCsv(csv).doubts).toEqual([]);
    expect(parseReadingsCsv(csv)).toHaveLength(2);
  });

  test('with other notes or without the heart rate are no repetition', () => {
    const [line, ...others] = ['131,80,60,left arm', '131,80,60,right arm', '131,80,,left arm'];
    const csv = header + [line, ...others].map((cells) => `2026-08-19 07:30,${cells}`).join('\n');
    expect(readReadingsCsv(csv)).toMatchObject({ repeated: [], rows: ['Row 2', 'Row 3', 'Row 4'] });
  });

  test('however many, are named by the first ten', () => {
    const lines = Array.from({ length: 14 }, (_, index) => `2026-08-19,00:00,${110 + index},80,60`);
    const { readings, doubts } = readReadingsCsv(`Date,Time,Sys,Dia,Pulse\n${lines.join('\n')}`);
    expect(new Set(readings.map(({ timestamp }) => timestamp))).toHaveLength(14);
    expect(doubts).toEqual([
      expect.stringMatching(/^Rows 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 4 more have the same time/),
    ]);
  });
});

test.each([
  [
    'a decimal comma between commas',
    '2026-08-19T09:15,120,75,80,70\n2026-08-19T19:15,120,80,70,70 kg',
    [
      'Row 2 has only a number as notes: a decimal comma may have moved the values into wrong columns.',
    ],
  ],
  [
    'times in UTC',
    '2026-08-19T09:15Z,120,80,,\n2026-08-19T19:15+02:00,120,80,,\n2026-08-20 09:15:00+00:00,120,80,,',
    [
      'Rows 2 and 4 have their times in UTC, and a reading keeps its time without a zone: morning and evening are right only if the clock on the wall showed UTC.',
    ],
  ],
  ['neither of them', '2026-08-19T09:15+10:00,120,80,70,70 kg', []],
])('of a file with %s the doubts are told', (_what, rows, doubts) => {
  expect(readReadingsCsv(header + rows).doubts).toEqual(doubts);
});

test('that offsets are left out is told with the form', () => {
  const { form, readings } = readReadingsCsv(`${header}2026-08-19T09:15+10:00,120,80,,`);
  expect(form).toMatch(/, times with an offset, which is left out$/);
  expect(readings).toMatchObject([{ timestamp: '2026-08-19T09:15:00.000' }]);
});

function linesOf(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    return error instanceof ClientError ? error.lines : [];
  }
}
