import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReleaseRecord } from '../../analysis/release/release-record.js';
import { readRelease, writeRelease } from './release-format.js';

const time = fc.nat({ max: 2 ** 45 });
const figure = fc.double({ min: 0, max: 300, noNaN: true }).map((value) => value + 0);
const perMeasure = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ systolic: value, diastolic: value, heart_rate: value }, { noNullPrototype: true });
const stepFigure = fc.record(
  {
    value: figure,
    releasedAt: time,
    replacedAt: fc.option(time),
    pods: fc
      .dictionary(fc.string({ minLength: 1 }), fc.nat({ max: 2 ** 32 - 1 }))
      .map((pods) => new Map(Object.entries(pods))),
  },
  { noNullPrototype: true },
);
const record: fc.Arbitrary<ReleaseRecord> = fc.record(
  {
    steps: perMeasure(fc.array(stepFigure, { maxLength: 3 })),
    noise: fc.array(
      fc.record(
        {
          releasedAt: time,
          epsilon: fc.double({ min: 0.001, max: 100, noNaN: true }),
          figures: perMeasure(fc.option(figure)),
          pods: perMeasure(fc.nat()),
        },
        { noNullPrototype: true },
      ),
      { maxLength: 3 },
    ),
  },
  { noNullPrototype: true },
);

test('a record that was written reads the same', () => {
  fc.assert(
    fc.property(record, fc.nat(), (one, version) => {
      expect(readRelease(writeRelease({ version, record: one }))).toEqual({
        version,
        record: one,
      });
    }),
  );
});

test.each([
  ['no JSON', '{'],
  ['of a later form', '{"schema_version":2}'],
  [
    'with a Pod that it does not name',
    writeRelease({
      version: 1,
      record: {
        steps: {
          systolic: [{ value: 1, releasedAt: 0, replacedAt: null, pods: new Map([['a', 1]]) }],
          diastolic: [],
          heart_rate: [],
        },
        noise: [],
      },
    }).replace('"a"', ''),
  ],
])('a record %s is none', (_, text) => {
  expect(readRelease(text)).toBeNull();
});
