import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RareWarning } from './rare-warning.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the first is told at once, the others once a minute with their number', () => {
  const told: object[] = [];
  const warning = new RareWarning<{ reason: string }>((fields) => told.push(fields));
  for (let call = 0; call < 1000; call++) warning.note({ reason: `no. ${call}` });
  expect(told).toEqual([{ reason: 'no. 0', times: 1 }]);
  vi.advanceTimersByTime(60_000);
  expect(told.slice(1)).toEqual([{ reason: 'no. 999', times: 999 }]);
  warning.note({ reason: 'again' });
  vi.advanceTimersByTime(60_000);
  expect(told.slice(2)).toEqual([{ reason: 'again', times: 1 }]);
  // After a quiet minute the next one is told at once again.
  vi.advanceTimersByTime(60_000);
  warning.note({ reason: 'late' });
  expect(told.slice(3)).toEqual([{ reason: 'late', times: 1 }]);
});
