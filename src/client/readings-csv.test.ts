import { expect, test } from 'vitest';
import { parseReadingsCsv } from './readings-csv.js';

const reading = (timestamp: string, systolic: number, heartRate: number | null, notes: string) => ({
  timestamp,
  systolic,
  diastolic: 80,
  heartRate,
  notes,
});

test('the columns are found by name, in any order, and quotes keep what is between them', () => {
  const csv =
    '\uFEFFsystolic,Timestamp,diastolic,notes\r\n120,2026-01-05 08:00,80,"after, a ""walk""\r\nuphill"\r\n\r\n,,,\r\n121,2026-01-06T08:00:30,80,';
  expect(parseReadingsCsv(csv)).toEqual([
    reading('2026-01-05T08:00:00.000', 120, null, 'after, a "walk"\r\nuphill'),
    reading('2026-01-06T08:00:30.000', 121, null, ''),
  ]);
});

test('date and time can be two columns, and the measures have short names', () => {
  const csv = 'Date,Time,SYS,dia,Pulse\n2026-01-05,08:00,120,80,64\n2026-01-06,08:00,121,80,\n';
  expect(parseReadingsCsv(csv)).toEqual([
    reading('2026-01-05T08:00:00.000', 120, 64, ''),
    reading('2026-01-06T08:00:00.000', 121, null, ''),
  ]);
});

/** As devices and their apps write them, each with an oddity of its own. */
test.each([
  [
    'semicolons, with commas inside of cells',
    'Date;Time;Sys;Dia;Pulse;Notes\n2026-01-05;08:00;120;80;64;after coffee, in a hurry\n',
    'after coffee, in a hurry',
  ],
  [
    'units in the headings, and a mark at the beginning',
    '\uFEFF"Timestamp","SYS(mmHg)","Diastolic [mm Hg]","Heart Rate (bpm)"\r\n"2026-01-05 08:00","120","80","64"\r\n',
    '',
  ],
  ['pul', 'Date,Time,SYS,DIA,PUL\n2026-01-05,08:00,120,80,64\n', ''],
  ['puls', 'date;time;sys;dia;Puls (1/min)\n2026-01-05;08:00;120;80;64\n', ''],
  ['note', 'date;time;sys;dia;puls;Note\n2026-01-05;8:00 AM;120;80;64;late\n', 'late'],
  ['hr', 'timestamp,systolic,diastolic,HR (beats/min)\n2026-01-05T08:00:00,120,80,64\n', ''],
])('a file of a device is read: %s', (_oddity, csv, notes) => {
  expect(parseReadingsCsv(csv)).toEqual([reading('2026-01-05T08:00:00.000', 120, 64, notes)]);
});

test('columns that mean nothing here are named, and passed over only when told to', () => {
  const csv = 'IHB,timestamp,sys,dia,Pulse (kPa),\nyes,2026-01-05T08:00,120,80,9,\n';
  expect(messageOf(csv)).toMatch(/\. Got "IHB", "Pulse \(kPa\)", "", which only --ignore-columns /);
  const ignored: string[] = [];
  const read = parseReadingsCsv(csv, undefined, (names) => ignored.push(...names));
  expect(read).toEqual([reading('2026-01-05T08:00:00.000', 120, null, '')]);
  expect(ignored).toEqual(['IHB', 'Pulse (kPa)', '']);
  // What a reading needs is no such column.
  const needed = 'timestamp,sys (kPa),dia\n2026-01-05T08:00,16,80\n';
  expect(() => parseReadingsCsv(needed, undefined, () => undefined)).toThrow('is no systolic.');
});

test.each([
  ['dmy', '08/09/2026 7:30', '2026-09-08T07:30'],
  ['mdy', '08/09/2026 7:30', '2026-08-09T07:30'],
  ['dmy', '8.9.2026 17:30:15', '2026-09-08T17:30:15'],
  ['mdy', '2026-09-08 07:30', '2026-09-08T07:30'],
  [undefined, '2026-09-08 7:30', '2026-09-08T07:30'],
  [undefined, '2026-09-08 7:30 AM', '2026-09-08T07:30'],
  [undefined, '2026-09-08T07:30:15pm', '2026-09-08T19:30:15'],
  ['dmy', '08/09/2026 12:05 a.m.', '2026-09-08T00:05'],
  ['mdy', '08/09/2026 12:05 PM', '2026-08-09T12:05'],
] as const)('with dates as %s, %s is %s', (order, written, time) => {
  const [read] = parseReadingsCsv(`timestamp,sys,dia\n${written},120,80`, order);
  expect(read?.timestamp.startsWith(time)).toBe(true);
});

const columns = 'expected the columns timestamp (or date and time), systolic or sys,';
const time = 'timestamp: expected the time on the clock, without an offset,';

test.each([
  ['', 'There is no date.'],
  ['timestamp;systolic\n', 'There is no diastolic.'],
  ['timestamp|sys|dia\n', 'Got "timestamp|sys|dia", which only --ignore-columns passes over.'],
  ['timestamp,sys,systolic,dia\n', 'Got two columns for systolic.'],
])('%j has no columns of readings', (csv, end) => {
  const told = messageOf(csv);
  expect(told.startsWith(`Line 1 of the CSV: ${columns}`)).toBe(true);
  expect(told.endsWith(`(bpm). ${end}`)).toBe(true);
});

test.each([
  // A decimal comma, and what a spreadsheet makes of one.
  ['2026-01-05T08:00,118,5,76', 'expected 3 cells, like the first line, got 4.'],
  ['2026-01-05T08:00,"118,5",76', 'systolic: expected a number from 40 to 300 mm Hg, got "118,5".'],
  ['2026-01-05T08:00;118;76', 'expected 3 cells, like the first line, got 1.'],
  ['2026-01-05T08:00,118', 'expected 3 cells, like the first line, got 2.'],
  ['2026-01-05T08:00,"118,76', 'expected each quote around a whole cell, and closed.'],
  ['2026-01-05T08:00,118",76', 'expected each quote around a whole cell, and closed.'],
  ['2026-01-05T08:00Z,118,76', time],
  ['2026-01-05,118,76', time],
  ['2026-01-05 13:00 PM,118,76', time],
  ['2026-01-05 0:30 AM,118,76', time],
  ['08/09/2026 08:00,118,76', 'timestamp: expected a date such as 2026-08-19, or its order'],
  ['2026-01-05T08:00,76,118', 'systolic: expected the upper value, above the lower one, got 76'],
])('one wrong row refuses the whole file, and is named: %s', (row, sentence) => {
  const good = ['2026-01-04T08:00,118,76', '"2026-01-04T19:00",118,76', '', ''];
  const csv = ['timestamp,sys,dia', ...good, row].join('\n');
  expect(messageOf(csv).slice(0, sentence.length + 19)).toBe(`Line 6 of the CSV: ${sentence}`);
});

test('the first five slips are told at once, and how many more there are', () => {
  const wrong = Array.from({ length: 7 }, (_, index) => `2026-01-0${index + 1}T08:00,76,118`);
  const told = messageOf(['timestamp,sys,dia', '2026-02-01T08:00,118,76', ...wrong].join('\n'));
  expect(told.split('\n').map((line) => line.slice(0, 22))).toEqual([
    ...[3, 4, 5, 6, 7].map((line) => `Line ${line} of the CSV: sys`),
    'Of 2 further lines no ',
  ]);
});

test('a date that does not fit the order is refused', () => {
  expect(() => parseReadingsCsv('timestamp,sys,dia\n19/08/2026 07:30,120,80', 'mdy')).toThrow(time);
});

function messageOf(csv: string): string {
  try {
    return `It was read: ${JSON.stringify(parseReadingsCsv(csv))}`;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
