import { expect, test } from 'vitest';
import { parseNewReading, parseReadingsCsv, readingText } from './new-reading.js';

const typed = { timestamp: '2026-08-19T09:15:00', systolic: '118', diastolic: '76' };

test('a reading becomes the content of a file as the app writes it', () => {
  const reading = parseNewReading({ ...typed, heartRate: '64' });
  expect(JSON.parse(readingText(reading))).toEqual({
    timestamp: '2026-08-19T09:15:00.000',
    responses: { systolic: 118, diastolic: 76, heart_rate: 64, notes: '' },
  });
  expect(JSON.parse(readingText(parseNewReading(typed)))).toEqual({
    timestamp: '2026-08-19T09:15:00.000',
    responses: { systolic: 118, diastolic: 76, notes: '' },
  });
});

test.each([
  [{ timestamp: 'yesterday' }, 'timestamp'],
  [{ timestamp: '2026-02-31T09:15:00' }, 'timestamp'],
  [{ systolic: '' }, 'systolic'],
  [{ systolic: '0' }, 'systolic'],
  [{ diastolic: '-76' }, 'diastolic'],
  [{ diastolic: '1000' }, 'diastolic'],
  [{ heartRate: '0x40' }, 'heart_rate'],
])('%j is refused', (wrong, name) => {
  expect(() => parseNewReading({ ...typed, ...wrong })).toThrow(new RegExp(`^${name}: expected `));
});

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

test.each([
  ['', 'The CSV has no column "timestamp" in its first line.'],
  ['timestamp,systolic\n', 'The CSV has no column "diastolic" in its first line.'],
  ['timestamp,systolic,diastolic\n"2026', 'The CSV has a quote that is never closed.'],
])('%j is no CSV of readings', (csv, sentence) => {
  expect(() => parseReadingsCsv(csv)).toThrow(sentence);
});
