import { describe, expect, test } from 'vitest';
import { isLeftBehind, isServiceStatus } from './status.js';

const mark = {
  started_at: '2026-11-19T09:15:00.000+00:00',
  finished_at: '2026-11-19T09:15:04.000+00:00',
};
const none = { time: mark.finished_at, running: null, last_run: null, last_cancelled: null };

describe('the state of the service', () => {
  test.each([
    none,
    { ...none, more: 1 },
    { ...none, running: { started_at: mark.started_at }, last_cancelled: mark },
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
    { ...none, last_run: { ...mark, run_id: 7, status: 'FAILED', message: '' } },
    { ...none, last_run: { ...mark, run_id: null, status: 'DONE', message: '' } },
  ])('%j is not', (body) => {
    expect(isServiceStatus(body)).toBe(false);
  });

  test('a run that started a quarter of an hour ago was left behind by a killed process', () => {
    const running = { started_at: mark.started_at };
    expect(isLeftBehind({ ...none, running, time: '2026-11-19T09:29:00+00:00' })).toBe(false);
    expect(isLeftBehind({ ...none, running, time: '2026-11-19T09:31:00+00:00' })).toBe(true);
    expect(isLeftBehind(none)).toBe(false);
  });
});
