import { expect, test } from 'vitest';
import { type GivenRow, podOf, readWith } from '../../../test/support/table.js';
import { sumReadings } from '../../analysis/sums.js';
import { notAsked, notRead, notYet } from '../../pod/outcome.js';
import { isReadable, podReading } from './pod-reading.js';

const rules = { now: 0, windowDays: null, period: null };
const root = 'https://pods.example/anna/';
const file = (name: string) => `${root}app/${name}.enc.ttl`;
const readingOf = (rows: Record<string, GivenRow>) => podReading(podOf(root, rows), rules);

test.each([
  [2, []],
  [1, ['The chart shows the latest 1 readings.']],
  // Nobody asked for the chart.
  [0, []],
])('a chart of fewer readings than count says so: %s of 2', (drawn, notes) => {
  const readings = [120, 130].map((systolic, index) => ({
    time: -index,
    offset: 0,
    systolic,
    diastolic: 80,
    heart_rate: null,
  }));
  const { sums } = sumReadings({ readings, incomplete: 0 }, rules);
  const outcome = { ...readWith(null), sums, readings: readings.slice(0, drawn) };
  const reading = readingOf({ [file('1')]: { outcome } });
  expect(reading.summary).toMatchObject({ observation_count: 2, notes });
  // The oldest first.
  expect(reading.readings).toEqual(readings.slice(0, drawn).reverse());
});

test.each([
  ['is asked for', { outcome: readWith(null) }, true],
  ['is not asked for', {}, false],
])('[5.3] a new Pod has a result only as a whole: another file %s', (_, other, expected) => {
  const reading = readingOf({ [file('1')]: { outcome: readWith(null) }, [file('2')]: other });
  expect(isReadable(reading)).toBe(expected);
});

test('what does not count is told with its reason, by address, after what there was no time for', () => {
  const silence = notRead('silence', 'the server gave no answer', 'HTTP 500');
  const reading = readingOf({
    [file('c')]: { mayHaveEntry: true, outcome: silence },
    [file('b')]: { mayHaveEntry: true, outcome: notRead('no key', 'could not be decrypted') },
    [`${root}app/a/`]: { mayHaveEntry: true, outcome: silence },
    [file('late')]: { outcome: notAsked },
    [`${root}app/late/`]: { outcome: notAsked },
    [file('waiting')]: { outcome: notYet(null) },
    [file('waiting too')]: { outcome: notYet(null) },
    // Its owner has taken it back.
    [file('ended')]: { outcome: notRead('refused', 'the Analyser may not read it') },
  });
  expect(reading).toMatchObject({ filesSkipped: 5, filesNotAsked: 1, filesNotYet: 2, sums: null });
  expect(reading.warnings).toEqual([
    `2 shares of ${root}profile/card#me could not be asked for. 2 new files of theirs that could be read will count together with these.`,
    `${root}app/a/: the shared folder was left out: HTTP 500`,
    `${file('b')}: could not be decrypted (file skipped)`,
    `${file('c')}: the server gave no answer (file skipped): HTTP 500`,
  ]);
});

test('a Pod of which nothing was read has no result', () => {
  const outcome = notRead('no key', 'could not be decrypted');
  const reading = readingOf({ [file('1')]: { outcome } });
  expect(reading.isUnfinished).toBe(false);
  expect(isReadable(reading)).toBe(false);
});

test.each([
  [100, []],
  [102, [`… and 2 more: files of ${root}profile/card#me`]],
])('of %i warnings a hundred are told, and how many more there are', (count, more) => {
  const row = { mayHaveEntry: true, outcome: notRead('no key', 'could not be decrypted') };
  const names = Array.from({ length: count }, (_, index) => file(`${index}`));
  const { warnings } = readingOf(Object.fromEntries(names.map((url) => [url, row])));
  expect(warnings.slice(0, 100).every((text) => text.includes('decrypted'))).toBe(true);
  expect(warnings.slice(100)).toEqual(more);
});
