import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MOST_ITEMS_OF_FILE, parseReadings } from './parse-readings.js';

const fileName = 'bp_2026-08-20T10-00-00.json.enc.ttl';
const fileTime = Date.UTC(2026, 7, 20, 10);
const time = Date.UTC(2026, 7, 19, 9, 15);
const timestamp = '2026-08-19T09:15:00.000';
const reading = { time, offset: 'unknown', systolic: 118, diastolic: 76, heart_rate: 64 };

const parse = (text: string) => parseReadings(text, fileName);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseJson(value: unknown) {
  return parse(JSON.stringify(value));
}

function entry(responses: object) {
  return { timestamp, responses: { systolic: 118, diastolic: 76, heart_rate: 64, ...responses } };
}

describe('[4.14] A JSON file', () => {
  test.each<[string, unknown]>([
    ['one reading as the app writes it', entry({ notes: '', feeling: 'well' })],
    ['a list of one', [entry({})]],
    ['the older shape', { timestamp, systolic: 118, diastolic: 76, heart_rate: 64, extra: [] }],
    ['numbers as strings', entry({ systolic: '118', diastolic: ' 76 ', heart_rate: '64.0' })],
  ])('gives a reading from %s', (_, value) => {
    expect(parseJson(value)).toEqual({ readings: [reading], incomplete: 0 });
  });

  test('gives a reading after a byte order mark and white space', () => {
    expect(parse(`\uFEFF \r\n${JSON.stringify(entry({}))}\n`)?.readings).toEqual([reading]);
  });

  test('keeps the digits after the point', () => {
    expect(parseJson(entry({ systolic: '118.5', diastolic: 76.25 }))?.readings).toEqual([
      { ...reading, systolic: 118.5, diastolic: 76.25 },
    ]);
  });

  test('keeps a list in its order and counts the entries that are no readings', () => {
    const second = entry({ systolic: 130 });
    const list = [entry({}), entry({ diastolic: '' }), 7, null, [entry({})], second];
    expect(parseJson(list)).toEqual({
      readings: [reading, { ...reading, systolic: 130 }],
      incomplete: 4,
    });
  });

  test.each<[unknown]>([
    [''],
    ['  '],
    ['abc'],
    ['0x76'],
    ['1e2'],
    ['+118'],
    ['-118'],
    ['118 mm Hg'],
    ['NaN'],
    ['Infinity'],
    ['9'.repeat(100)],
    [-1],
    [null],
    [true],
    [[118]],
    [{}],
  ])('takes %j for a missing value', (value) => {
    expect(parseJson(entry({ systolic: value }))).toEqual({ readings: [], incomplete: 1 });
    expect(parseJson(entry({ diastolic: value }))).toEqual({ readings: [], incomplete: 1 });
    expect(parseJson(entry({ heart_rate: value }))?.readings).toEqual([
      { ...reading, heart_rate: null },
    ]);
  });

  test('takes a number beyond all numbers for a missing value', () => {
    expect(parse('{"systolic": 1e999, "diastolic": 76}')).toEqual({ readings: [], incomplete: 1 });
  });

  test('is not led astray by keys that name the prototype', () => {
    const planted = '{"__proto__": {"systolic": 118, "diastolic": 76}, "constructor": 1}';
    expect(parse(planted)).toBeNull();
    expect(parse(`[${planted}, ${JSON.stringify(entry({}))}]`)?.readings).toEqual([reading]);
  });
});

describe('The time of a reading', () => {
  test.each<[string, unknown]>([
    ['no timestamp', undefined],
    ['a blank one', ''],
    ['a malformed one', 'this morning'],
  ])('[4.14] comes from the file name when the reading has %s', (_, value) => {
    expect(parseJson({ ...entry({}), timestamp: value })?.readings).toEqual([
      { ...reading, time: fileTime },
    ]);
  });

  test('[4.14] is unknown when the file name does not say it either', () => {
    const text = JSON.stringify({ systolic: 118, diastolic: 76, heart_rate: 64 });
    expect(parseReadings(text, 'old.json')?.readings).toEqual([
      { ...reading, time: null, offset: null },
    ]);
  });

  test('[4.14] does not come from the file name when the file holds several items', () => {
    const undated = { systolic: 118, diastolic: 76, heart_rate: 64 };
    const withoutTime = { ...reading, time: null, offset: null };
    expect(parseJson([undated, entry({})])?.readings).toEqual([withoutTime, reading]);
    expect(parseJson([undated, null])?.readings).toEqual([withoutTime]);
  });
});

test.each<[string]>([['[]'], [' [ ] '], ['\uFEFF[]']])('%j is valid and empty', (text) => {
  expect(parse(text)).toEqual({ readings: [], incomplete: 0 });
});

test.each<[string]>([
  [''],
  [' '],
  ['\uFEFF'],
  ['null'],
  ['118'],
  ['{'],
  ['{}'],
  ['[{}]'],
  ['[1, 2, 3]'],
  ['[[{"systolic": 118, "diastolic": 76}]]'],
  ['{"readings": [{"systolic": 118, "diastolic": 76}]}'],
  ['{"systolic": 118, "diastolic": 76'],
  ['{"systolic": 118, "diastolic": 76} {}'],
  ['systolic\n118'],
  ['@prefix solid: <https://solidcommunity.au/predicates/terms#>.'],
  ['\u0000\u0001\uFFFD{"systolic": 118, "diastolic": 76}'],
])('[4.14] %j is not a file of readings', (text) => {
  expect(parse(text)).toBeNull();
});

describe('Hostile text', () => {
  test.each<[string, () => string]>([
    ['deep lists', () => '['.repeat(1_000_000)],
    ['deep lists, closed', () => '['.repeat(200_000) + ']'.repeat(200_000)],
    ['nothing but empty lists', () => `[${'[],'.repeat(1_000_000)}[]]`],
    ['deep objects', () => '{"responses":'.repeat(200_000)],
    ['a number of a million digits', () => `{"systolic":"${'1'.repeat(1_000_000)}x"}`],
    ['a million spaces', () => ' '.repeat(1_000_000)],
  ])('[4.14] of %s holds no reading and takes little time', (_, make) => {
    const text = make();
    const start = performance.now();
    expect(parse(text)?.readings ?? []).toEqual([]);
    expect(performance.now() - start).toBeLessThan(5000);
  });

  test('of too many entries is not a file of readings', () => {
    const at = (count: number) =>
      parse(`[${Array(count).fill('{"systolic":118,"diastolic":76}').join()}]`);
    expect(at(MOST_ITEMS_OF_FILE)?.readings).toHaveLength(MOST_ITEMS_OF_FILE);
    expect(at(MOST_ITEMS_OF_FILE + 1)).toBeNull();
  });

  test.each(['[]', '{}'])('of more brackets than readings need is not parsed: of %s', (pair) => {
    // Two are around them.
    const of = (count: number) =>
      parse(
        `{"systolic":118,"diastolic":76,"notes":[${Array(count - 2)
          .fill(pair)
          .join()}]}`,
      );
    expect(of(3 * MOST_ITEMS_OF_FILE)?.readings).toHaveLength(1);
    expect(of(3 * MOST_ITEMS_OF_FILE + 1)).toBeNull();
  });

  test('[4.14] is taken for JSON exactly when the whole is JSON', () => {
    const word = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '1', ' ', '{"systolic":1}');
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = `[{"systolic":1},${words.join('')}`;
        expect(parse(text) !== null).toBe(isJson(text));
      }),
      { numRuns: 1500 },
    );
  });

  test('[4.14] and every list of readings survives JSON', () => {
    const readings = fc.array(
      fc.record({
        time: fc.date({
          min: new Date('1900-01-01'),
          max: new Date('2100-01-01'),
          noInvalidDate: true,
        }),
        systolic: fc.integer({ min: 0, max: 400 }),
        diastolic: fc.integer({ min: 0, max: 400 }),
        heart_rate: fc.option(fc.integer({ min: 0, max: 400 })),
      }),
    );
    fc.assert(
      fc.property(readings, (list) => {
        const expected = list.map((one) => ({ ...one, time: one.time.getTime(), offset: 0 }));
        const entries = list.map((one) => ({ ...one, timestamp: one.time.toISOString() }));
        expect(parseJson(entries)?.readings).toEqual(expected);
      }),
    );
  });
});
