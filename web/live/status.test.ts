import { describe, expect, test } from 'vitest';
import { analysisAtWork, describeProgress, isServiceStatus } from './status.js';

const mark = {
  started_at: '2026-11-19T09:15:00.000+00:00',
  finished_at: '2026-11-19T09:15:04.000+00:00',
};
const none = {
  time: mark.finished_at,
  analyser: null,
  running: null,
  interrupted: null,
  last_run: null,
  last_cancelled: null,
};
const running = { started_at: mark.started_at, callers: 2, files: { read: 40, all: 1312 } };

describe('the state of the service', () => {
  test.each([
    none,
    { ...none, more: 1 },
    { ...none, running, last_cancelled: mark },
    { ...none, analyser: { state: 'silent', at: mark.started_at }, interrupted: mark },
    { ...none, last_run: { ...mark, run_id: null, status: 'FAILED', message: '' } },
  ])('%j is understood', (body) => {
    expect(isServiceStatus(body)).toBe(true);
  });

  test.each([
    null,
    [],
    'idle',
    {},
    { ...none, running: true },
    { ...none, analyser: { state: 'asleep', at: mark.started_at } },
    { ...none, last_run: { ...mark, run_id: 7, status: 'FAILED', message: '' } },
    { ...none, last_run: { ...mark, run_id: null, status: 'DONE', message: '' } },
  ])('%j is not', (body) => {
    expect(isServiceStatus(body)).toBe(false);
  });

  test('a killed analysis is not at work, although its mark stands', () => {
    expect(analysisAtWork({ ...none, running })).toBe(running);
    expect(analysisAtWork({ ...none, running, interrupted: mark })).toBeNull();
  });

  test('a running analysis says how long it has taken, how far it is and for whom', () => {
    expect(describeProgress(running, mark.finished_at)).toBe(
      '4 s · read 40 of 1,312 files · 2 callers',
    );
    const began = { ...running, callers: 0, files: null };
    expect(describeProgress(began, mark.finished_at)).toBe('4 s');
  });
});
