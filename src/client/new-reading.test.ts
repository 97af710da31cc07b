import { expect, test } from 'vitest';
import { configSchema } from '../config/schema.js';
import { findDoubts, parseNewReading, readingText } from './new-reading.js';
import { usualLimits } from './plausible.js';

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
  ['2026-08-19T09:15:00+10:00', '2026-08-19T09:15:00.000'],
  ['2026-08-19T23:50:00-03:30', '2026-08-19T23:50:00.000'],
  ['2026-08-19T09:15:00Z', '2026-08-19T09:15:00.000'],
  ['2026-08-19T00:00:00', '2026-08-19T00:00:00.000'],
])('of %s the wall clock is what is written', (timestamp, written) => {
  expect(parseNewReading({ ...typed, timestamp }).timestamp).toBe(written);
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

test('a day alone is no time: at midnight it would be a morning', () => {
  expect(() => parseNewReading({ ...typed, timestamp: ' 2026-08-19 ' })).toThrow(
    'timestamp: a reading needs its time of day, which tells morning and evening apart; write it as 2026-08-19T09:15:00, got "2026-08-19".',
  );
});

test.each([
  [
    { systolic: '39.9', diastolic: '30' },
    ['The systolic 39.9 is not plausible: expected 40 to 300 mm Hg.'],
  ],
  [{ systolic: '301' }, ['The systolic 301 is not plausible: expected 40 to 300 mm Hg.']],
  [{ diastolic: '5' }, ['The diastolic 5 is not plausible: expected 20 to 200 mm Hg.']],
  [{ heartRate: '251' }, ['The heart rate 251 is not plausible: expected 20 to 250 bpm.']],
  [
    { systolic: '12.8', diastolic: '8.1' },
    [
      'The systolic 12.8 is not plausible: expected 40 to 300 mm Hg.',
      'The diastolic 8.1 is not plausible: expected 20 to 200 mm Hg.',
    ],
  ],
  [{ systolic: '40', diastolic: '20', heartRate: '20' }, []],
  [{ systolic: '300', diastolic: '200', heartRate: '250' }, []],
])('%j gives the doubts %j', (values, doubts) => {
  expect(findDoubts(parseNewReading({ ...typed, ...values }), Date.UTC(2027, 0))).toEqual(doubts);
});

test('the plausible limits are those that a service has by default', () => {
  const { analysis } = configSchema.parse({
    analyser: {
      server_url: 'https://pods.example/',
      web_id: 'https://pods.example/analyser/profile/card#me',
    },
  });
  expect(usualLimits).toEqual(analysis.plausible);
});
