import { describe, expect, test } from 'vitest';
import { isRunId, nextRunId } from './run-id.js';

describe('nextRunId', () => {
  const now = new Date('2026-08-19T09:15:59.900Z');
  test.each([
    ['nothing is taken', [], '20260819T091559Z'],
    ['its second is taken', ['20260819T091559Z'], '20260819T091600Z'],
    [
      'three in a row are taken',
      ['20260819T091600Z', '20260819T091559Z', '20260819T091601Z'],
      '20260819T091602Z',
    ],
    ['only later ones are taken', ['20260819T091600Z'], '20260819T091559Z'],
  ])('when %s', (_case, taken, expected) => {
    expect(nextRunId(now, taken)).toBe(expected);
  });

  test('steps over the end of a year', () => {
    expect(nextRunId(new Date('2026-12-31T23:59:59Z'), ['20261231T235959Z'])).toBe(
      '20270101T000000Z',
    );
  });
});

describe('isRunId', () => {
  test.each(['20260819T091559Z', '20240229T000000Z'])('accepts %s', (id) => {
    expect(isRunId(id)).toBe(true);
  });
  test.each([
    '',
    '20260819T091559',
    '20260819T246000Z',
    '20260231T000000Z',
    '2026-08-19T09:15:59Z',
    '../20260819T091559Z',
    '20260819T091559Z\n',
    '２0260819T091559Z',
  ])('rejects %j', (id) => {
    expect(isRunId(id)).toBe(false);
  });
});
