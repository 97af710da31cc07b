import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderForEach } from '../../test/support/temp-folder.js';
import { isRunId, nextRunIds } from './run-id.js';

const stateDir = folderForEach();

describe('run ids', () => {
  const now = new Date('2026-08-19T09:15:59.900Z');
  const among = (...taken: string[]) => ({
    next(count: number, at: Date) {
      const isTaken = (runId: string) => Promise.resolve(taken.includes(runId));
      return nextRunIds(stateDir(), isTaken, { count, now: at });
    },
  });

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
    expect(await among(...taken).next(1, now)).toEqual([expected]);
  });

  test('of several callers are several, one after the other, past what is taken', async () => {
    expect(await among('20260819T091600Z').next(3, now)).toEqual([
      '20260819T091559Z',
      '20260819T091601Z',
      '20260819T091602Z',
    ]);
  });

  test('step over the end of a year', async () => {
    const runIds = await among().next(2, new Date('2026-12-31T23:59:59Z'));
    expect(runIds).toEqual(['20261231T235959Z', '20270101T000000Z']);
  });

  test('are never given twice: not when nothing was stored, nor by another process', async () => {
    const first = await among().next(2, now);
    const second = await among().next(2, now);
    expect([...first, ...second]).toEqual([
      '20260819T091559Z',
      '20260819T091600Z',
      '20260819T091601Z',
      '20260819T091602Z',
    ]);
  });

  test('follow the clock again when that has caught up, and go on when it was put back', async () => {
    await among().next(2, now);
    expect(await among().next(1, new Date('2026-08-19T09:20:00Z'))).toEqual(['20260819T092000Z']);
    expect(await among().next(1, new Date('2026-08-19T08:00:00Z'))).toEqual(['20260819T092001Z']);
  });

  test('lie after the run before, unless that was made by a clock far ahead', async () => {
    for (const [before, expected] of [
      ['20260819T091605Z', '20260819T091606Z'],
      ['20270101T000000Z', '20260819T091559Z'],
      ['no run', '20260819T091559Z'],
    ] as const) {
      await writeFile(join(stateDir(), 'last-run-id'), before);
      expect(await among().next(1, now)).toEqual([expected]);
    }
  });

  test('go on from what is stored when the note of the last one is damaged', async () => {
    await among().next(1, now);
    await writeFile(join(stateDir(), 'last-run-id'), Buffer.from([0, 255, 13]));
    expect(await among('20260819T091559Z').next(1, now)).toEqual(['20260819T091600Z']);
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
