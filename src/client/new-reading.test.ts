import { expect, test } from 'vitest';
import { parseNewReading, readingText } from './new-reading.js';

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

const onTheClock =
  'timestamp: expected the time on the clock, without an offset, such as 2026-08-19T09:15:00';

test.each([
  [{ timestamp: 'yesterday' }, `${onTheClock}, got "yesterday".`],
  [{ timestamp: '2026-02-31T09:15:00' }, onTheClock],
  // At midnight it would be a morning.
  [{ timestamp: ' 2026-08-19 ' }, `${onTheClock}, got "2026-08-19".`],
  [{ timestamp: '2026-08-19T09:15:00Z' }, onTheClock],
  [{ timestamp: '2026-08-19T09:15:00+10:00' }, onTheClock],
  [{ systolic: '' }, 'systolic: expected a number from 40 to 300 mm Hg, got nothing.'],
  [{ systolic: '39.9', diastolic: '30' }, 'systolic: expected a number from 40 to 300 mm Hg, got'],
  [{ systolic: '300.1' }, 'systolic: expected a number from 40 to 300 mm Hg, got "300.1".'],
  // Of kPa, and of a decimal comma.
  [{ systolic: '15.7', diastolic: '10.1' }, 'systolic: expected a number from 40'],
  [{ systolic: '118,5' }, 'systolic: expected a number from 40'],
  [{ diastolic: '-76' }, 'diastolic: expected a number from 20 to 200 mm Hg, got "-76".'],
  [{ diastolic: '19' }, 'diastolic: expected a number from 20 to 200 mm Hg, got "19".'],
  [{ heartRate: '0x40' }, 'heartRate: expected a number from 20 to 250 bpm, got "0x40".'],
  [{ heartRate: '251' }, 'heartRate: expected a number from 20 to 250 bpm, got "251".'],
  [
    { systolic: '76', diastolic: '118' },
    'systolic: expected the upper value, above the lower one, got 76 and 118.',
  ],
  [{ systolic: '100', diastolic: '100' }, 'systolic: expected the upper value, above the lower'],
])('%j is refused', (wrong, sentence) => {
  expect(() => parseNewReading({ ...typed, ...wrong })).toThrow(sentence);
});

test.each([
  { systolic: '40', diastolic: '20', heartRate: '20' },
  { systolic: '300', diastolic: '200', heartRate: '250' },
])('%j is recorded', (values) => {
  expect(() => parseNewReading({ ...typed, ...values })).not.toThrow();
});
