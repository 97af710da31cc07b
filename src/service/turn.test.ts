import { expect, test, vi } from 'vitest';
import { heldInTest } from '../../test/support/unlimited-queue.js';
import { reportWithoutResult } from '../run/analysis-report.js';
import { Call, type Held, Turn } from './turn.js';

function createTurn(held: Partial<Held> = {}) {
  const [alice, bob, again] = ['alice', 'bob', 'alice'].map((webId) => new Call(webId));
  if (alice === undefined || bob === undefined || again === undefined) throw new Error('no calls');
  const turn = new Turn([alice, bob, again]);
  turn.hold({ ...heldInTest, ...held });
  return { turn, alice, bob, again };
}

test('[0.4][0.3][0.11] an analysis goes on for the calls that were not cancelled, and nothing cancels these', async () => {
  const { turn, alice, bob, again } = createTurn();
  expect(turn.reports).toEqual([]);
  expect(alice.cancel('cancel')).toBe(true);
  expect(await turn.commit()).toEqual([bob, again]);
  expect(turn.calls.map(({ state }) => state.kind)).toEqual(['answered', 'committed', 'committed']);
  expect(bob.cancel('timeout')).toBe(false);
  expect(turn.signal.aborted).toBe(false);
});

test('[0.11][0.4] a Cancel that comes while the lock is checked is in time', async () => {
  const requireLock = () => {
    expect(alice.cancel('cancel')).toBe(true);
    return Promise.resolve();
  };
  const { turn, alice, bob, again } = createTurn({ requireLock });
  expect(await turn.commit()).toEqual([bob, again]);
  const cancelAll = () => {
    all.turn.cancelAll('cancel');
    return Promise.resolve();
  };
  const all = createTurn({ requireLock: cancelAll });
  await expect(all.turn.commit()).rejects.toThrow('was cancelled');
  expect(all.turn.reports.map(({ status }) => status)).toEqual(Array(3).fill('CANCELLED'));
});

test('[0.6][0.11] an analysis passes no checkpoint when all calls were cancelled', async () => {
  const { turn } = createTurn();
  turn.cancelAll('timeout');
  await expect(turn.commit()).rejects.toThrow('took too long');
  const failed = reportWithoutResult('FAILED', 'The analysis took too long and was abandoned.');
  expect(turn.reports).toEqual([failed, failed, failed]);
});

test('[0.10] an analysis passes no checkpoint when nothing may be written any more', async () => {
  const { turn } = createTurn();
  turn.endWriting();
  expect(turn.writingEnds.aborted).toBe(true);
  await expect(turn.commit()).rejects.toThrow();
  expect(turn.reports.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
});

test('[0.2] a call that waits is answered when it is cancelled, and one that begins says so', async () => {
  const onTurn = vi.fn();
  const waiting = new Call('alice', '', onTurn);
  expect(waiting.cancel('shutdown')).toBe(true);
  expect(await waiting.sent).toMatchObject({ status: 'CANCELLED' });
  const begun = new Call('bob', '', onTurn);
  expect(onTurn).not.toHaveBeenCalled();
  expect(new Turn([begun]).callers).toEqual(['bob']);
  expect(onTurn).toHaveBeenCalledOnce();
});

test('[0.5] an analysis passes no checkpoint without the lock', async () => {
  const call = new Call('alice');
  await expect(new Turn([call]).commit()).rejects.toThrow('without the lock');
  const lost = new Error('lost');
  const { turn } = createTurn({ requireLock: () => Promise.reject(lost) });
  await expect(turn.commit()).rejects.toBe(lost);
});

test('the end of a turn is noted also when all calls were cancelled before it had its lock', async () => {
  const turn = new Turn([new Call('alice')]);
  turn.cancelAll('cancel');
  const noteEnd = vi.fn(() => Promise.resolve());
  turn.hold({ ...heldInTest, noteEnd });
  await turn.end(null);
  expect(noteEnd.mock.calls).toMatchObject([[[{ status: 'CANCELLED' }]]]);
});

test('the last answer waits until the end is noted, but not for a disk that hangs', async () => {
  vi.useFakeTimers();
  try {
    const { turn } = createTurn({ noteEnd: () => new Promise(() => undefined) });
    const left: (string | null)[] = [];
    for (const { sent, webId } of turn.calls) void sent.then(() => left.push(webId));
    turn.cancelAll('timeout');
    await vi.advanceTimersByTimeAsync(900);
    expect(left).toEqual(['alice', 'bob']);
    await vi.advanceTimersByTimeAsync(100);
    expect(left).toEqual(['alice', 'bob', 'alice']);
  } finally {
    vi.useRealTimers();
  }
});

test('[0.11] calls of one WebID are one caller with one run, and only the first answer of each counts', async () => {
  const { turn, alice } = createTurn({ runIds: ['20260819T091500Z', '20260819T091501Z'] });
  expect(turn.callers).toEqual(['alice', 'bob']);
  expect(turn.calls.map(({ runId }) => runId.slice(-3))).toEqual(['00Z', '01Z', '00Z']);
  turn.cancelAll('cancel');
  turn.answer(alice.id, reportWithoutResult('NO_DATA', 'Too late.'));
  await turn.end(null);
  expect(turn.reports.map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
});

test('the last answer leaves as soon as the end is noted, or could not be noted', async () => {
  vi.useFakeTimers();
  try {
    for (const noteEnd of [() => Promise.resolve(), () => Promise.reject(new Error('full'))]) {
      const { turn, again } = createTurn({ noteEnd });
      const left = vi.fn();
      void again.sent.then(left);
      turn.cancelAll('cancel');
      await vi.advanceTimersByTimeAsync(0);
      expect(left).toHaveBeenCalledOnce();
    }
  } finally {
    vi.useRealTimers();
  }
});

test('the end of a turn is noted once', async () => {
  const noteEnd = vi.fn(() => Promise.resolve());
  const { turn } = createTurn({ noteEnd });
  turn.cancelAll('cancel');
  await turn.end(null);
  expect(noteEnd).toHaveBeenCalledOnce();
});
