import { describe, expect, test } from 'vitest';
import { isRunId, nextRunIds } from './run-id.js';

describe('run ids', () => {
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
    expect(nextRunIds(taken, { count: 1, now })).toEqual([expected]);
  });

  test('of several callers are several, one after the other, past what is taken', () => {
    expect(nextRunIds(['20260819T091600Z'], { count: 3, now })).toEqual([
      '20260819T091559Z',
      '20260819T091601Z',
      '20260819T091602Z',
    ]);
  });

  test('step over the end of a year', () => {
    expect(nextRunIds([], { count: 2, now: new Date('2026-12-31T23:59:59Z') })).toEqual([
      '20261231T235959Z',
      '20270101T000000Z',
    ]);
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
