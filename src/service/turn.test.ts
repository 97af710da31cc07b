import { expect, test, vi } from 'vitest';
import { reportWithoutResult } from '../run/analysis-report.js';
import { Call, Turn } from './turn.js';

function createTurn(...webIds: string[]) {
  const calls = webIds.map((webId) => new Call({ webId }));
  return { turn: new Turn(calls), calls };
}

test('an analysis goes on for the calls that were not cancelled, and nothing cancels these', async () => {
  const { turn, calls } = createTurn('alice', 'bob');
  const [alice, bob] = calls;
  expect(alice?.cancel('cancel')).toBe(true);
  expect((await turn.commit()).map(({ webId }) => webId)).toEqual(['bob']);
  expect(calls.map(({ state }) => state)).toEqual(['answered', 'committed']);
  expect(bob?.cancel('timeout')).toBe(false);
  expect(turn.signal.aborted).toBe(false);
});

test('an analysis passes no checkpoint when all calls were cancelled', async () => {
  const { turn } = createTurn('alice', 'bob');
  turn.cancelAll('timeout');
  await expect(turn.commit()).rejects.toThrow('took too long');
  const failed = reportWithoutResult('FAILED', 'The analysis took too long and was abandoned.');
  expect(turn.reports).toEqual([failed, failed]);
});

test('the last answer waits until the end is noted, but not for a disk that hangs', async () => {
  vi.useFakeTimers();
  try {
    const { turn, calls } = createTurn('alice', 'bob');
    turn.noteEnd = () => new Promise(() => undefined);
    const left: (string | null)[] = [];
    for (const { answered, webId } of calls) void answered.then(() => left.push(webId));
    turn.cancelAll('timeout');
    await vi.advanceTimersByTimeAsync(900);
    expect(left).toEqual(['alice']);
    await vi.advanceTimersByTimeAsync(100);
    expect(left).toEqual(['alice', 'bob']);
  } finally {
    vi.useRealTimers();
  }
});

test('calls of one WebID are one caller with one run, and only the first answer of each counts', () => {
  const { turn, calls } = createTurn('alice', 'bob', 'alice');
  expect(turn.callers).toEqual(['alice', 'bob']);
  turn.nameRuns(['20260819T091500Z', '20260819T091501Z']);
  expect(calls.map(({ runId }) => runId.slice(-3))).toEqual(['00Z', '01Z', '00Z']);
  turn.cancelAll('cancel');
  turn.answer(calls[0]?.id ?? '', reportWithoutResult('NO_DATA', 'Too late.'));
  turn.end(null);
  expect(turn.reports.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
});
