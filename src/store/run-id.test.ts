import { describe, expect, test } from 'vitest';
import { createRunIds, isRunId } from './run-id.js';

describe('createRunIds', () => {
  const now = new Date('2026-08-19T09:15:59.900Z');
  const among = (taken: Iterable<string>) => {
    const ids = new Set(taken);
    const asked: string[] = [];
    const next = createRunIds((runId) => {
      asked.push(runId);
      return Promise.resolve(ids.has(runId));
    });
    return { ids, asked, next };
  };

  test.each([
    ['nothing is taken', [], '20260819T091559Z'],
    ['its second is taken', ['20260819T091559Z'], '20260819T091600Z'],
    [
      'three in a row are taken',
      ['20260819T091600Z', '20260819T091559Z', '20260819T091601Z'],
      '20260819T091602Z',
    ],
    ['only later ones are taken', ['20260819T091600Z'], '20260819T091559Z'],
  ])('when %s', async (_case, taken, expected) => {
    expect(await among(taken).next(now)).toBe(expected);
  });

  test('steps over the end of a year', async () => {
    const { next } = among(['20261231T235959Z']);
    expect(await next(new Date('2026-12-31T23:59:59Z'))).toBe('20270101T000000Z');
  });

  test('runs within one second look at no more than they need', async () => {
    const { ids, asked, next } = among([]);
    for (let run = 0; run < 50; run += 1) ids.add(await next(now));
    expect(ids.size).toBe(50);
    // The one before and the free one.
    expect(asked).toHaveLength(2 * 50 - 1);
    expect(await next(new Date('2026-08-19T09:16:20Z'))).toBe('20260819T091649Z');
  });

  test('a run that was never stored leaves its second to the next', async () => {
    const { next } = among([]);
    expect(await next(now)).toBe('20260819T091559Z');
    expect(await next(now)).toBe('20260819T091559Z');
  });

  test('a clock that was put back starts over, and finds its way past what is there', async () => {
    const { ids, next } = among(['20260819T081500Z', '20260819T081501Z']);
    ids.add(await next(now));
    expect(await next(new Date('2026-08-19T08:15:00Z'))).toBe('20260819T081502Z');
    expect(await next(now)).toBe('20260819T091600Z');
  });

  test('what another process has taken meanwhile is stepped over', async () => {
    const { ids, next } = among([]);
    ids.add(await next(now));
    ids.add('20260819T091600Z');
    expect(await next(now)).toBe('20260819T091601Z');
  });

  test('lies after the run before, unless that was made by a clock far ahead', async () => {
    const { next } = among([]);
    expect(await next(now, '20260819T091605Z')).toBe('20260819T091606Z');
    expect(await next(now, '20260819T091558Z')).toBe('20260819T091559Z');
    expect(await next(now, '20270101T000000Z')).toBe('20260819T091559Z');
    expect(await next(now, 'no run')).toBe('20260819T091559Z');
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
