import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { heldInTest, unlimited } from '../../test/support/unlimited-queue.js';
import { type AnalysisReport, reportWithoutResult } from '../run/analysis-report.js';
import { AnalysisQueue, type QueueLimits } from './analysis-queue.js';
import type { NewCall, Turn } from './turn.js';

const alice = 'https://pods.example/alice/profile/card#me';
const bob = 'https://pods.example/bob/profile/card#me';
const carol = 'https://pods.example/carol/profile/card#me';

const completed: AnalysisReport = {
  ...reportWithoutResult('FAILED', 'Done.'),
  status: 'COMPLETED',
  run_id: '20260819T091500Z',
  generated_at: '2026-08-19T09:15:00.000+00:00',
};

interface TurnInTest {
  turn: Turn;
  answer: (webId: string, report: AnalysisReport) => void;
  /** As performTurn ends: every call is answered. */
  end: (error?: Error) => void;
}

/** A queue whose turns end when the test says so. */
function createQueue(limits: Partial<QueueLimits> = {}) {
  const turns: TurnInTest[] = [];
  const queue = new AnalysisQueue(
    { ...unlimited, ...limits },
    (turn) =>
      new Promise<void>((resolve) => {
        turn.hold(heldInTest);
        turns.push({
          turn,
          answer: (webId, report) => {
            for (const call of turn.calls) if (call.webId === webId) turn.answer(call.id, report);
          },
          end: (error) => {
            void turn.end(error).then(resolve);
          },
        });
      }),
  );
  const ask = (webId: string, rest: Partial<NewCall> = {}, hungUp = new AbortController().signal) =>
    queue.enqueue({ webId, peer: '192.0.2.1', ...rest }, hungUp);
  const turnOf = (position: number): TurnInTest => {
    const turn = turns[position];
    if (turn === undefined) throw new Error(`turn ${position} has not begun`);
    return turn;
  };
  return { queue, turns, turnOf, ask };
}

const callersOf = ({ turn }: TurnInTest) => turn.calls.map(({ webId }) => webId);

describe('turns', () => {
  test('[0.1] begin at once for the first, and serve all who wait then together, in order of arrival', async () => {
    const { queue, turns, turnOf, ask } = createQueue({ callsPerTurn: 2 });
    const calls = [alice, bob, carol, alice].map((webId) => ask(webId));
    expect(turns.map(callersOf)).toEqual([[alice]]);
    expect(queue.inHand).toBe(4);
    turnOf(0).answer(alice, completed);
    turnOf(0).end();
    await calls[0];
    await Promise.resolve();
    expect(turns.map(callersOf)).toEqual([[alice], [bob, carol]]);
    turnOf(1).end();
    await calls[2];
    await Promise.resolve();
    expect(turns.map(callersOf)).toEqual([[alice], [bob, carol], [alice]]);
  });

  test('answer each call as soon as its own part is done', async () => {
    const { queue, turnOf, ask } = createQueue();
    const first = ask(alice);
    const calls = [ask(bob), ask(carol)];
    turnOf(0).end();
    await first;
    await Promise.resolve();
    turnOf(1).answer(carol, completed);
    expect(await calls[1]).toEqual(completed);
    expect(queue.inHand).toBe(1);
  });

  test('answer the last call too when its own part is done, and the next turn waits for their end', async () => {
    const { queue, turns, turnOf, ask } = createQueue();
    const call = ask(alice);
    turnOf(0).answer(alice, completed);
    expect(await call).toEqual(completed);
    expect(queue.inHand).toBe(0);
    const next = ask(bob);
    const empty = queue.whenEmpty();
    expect(turns).toHaveLength(1);
    turnOf(0).end();
    await new Promise(setImmediate);
    turnOf(1).end();
    await Promise.all([next, empty]);
  });
});

describe('Cancel', () => {
  test('[0.2] takes a waiting call out and answers it at once', async () => {
    const { queue, turns, turnOf, ask } = createQueue();
    const ahead = ask(alice);
    const waiting = ask(bob);
    expect(queue.cancel(bob)).toEqual([{ runId: '', isCancelled: true }]);
    expect(queue.cancel(bob)).toEqual([]);
    expect(await waiting).toMatchObject({ status: 'CANCELLED' });
    turnOf(0).end();
    await ahead;
    expect(turns).toHaveLength(1);
  });

  test.each([
    ['the first', alice, [bob, carol]],
    ['the middle', bob, [alice, carol]],
    ['the last', carol, [alice, bob]],
  ])('[0.3][0.11] of %s of three in one turn touches no other', async (_which, webId, others) => {
    const { queue, turnOf, ask } = createQueue();
    const ahead = ask('https://pods.example/dan/profile/card#me');
    const calls = new Map([alice, bob, carol].map((one) => [one, ask(one)]));
    turnOf(0).end();
    await ahead;
    await Promise.resolve();
    const { turn, answer, end } = turnOf(1);
    expect(queue.cancel(webId)).toEqual([{ runId: '', isCancelled: true }]);
    expect(await calls.get(webId)).toMatchObject({ status: 'CANCELLED' });
    expect(queue.cancel(webId)).toEqual([]);
    expect(turn.signal.aborted).toBe(false);
    expect((await turn.commit()).map((call) => call.webId)).toEqual(others);
    for (const other of others) answer(other, completed);
    end();
    for (const other of others) expect(await calls.get(other)).toEqual(completed);
  });
});

describe('a caller that hangs up', () => {
  test('[0.12] gives up its place', async () => {
    const { queue, turns, turnOf, ask } = createQueue();
    const ahead = ask(alice);
    const hungUp = new AbortController();
    const waiting = ask(bob, {}, hungUp.signal);
    hungUp.abort();
    expect(await waiting).toMatchObject({ status: 'CANCELLED' });
    expect(queue.inHand).toBe(1);
    turnOf(0).end();
    await ahead;
    expect(turns).toHaveLength(1);
  });

  test('later than its answer is listened to no more', async () => {
    const { turnOf, ask } = createQueue();
    const hungUp = new AbortController();
    const call = ask(alice, {}, hungUp.signal);
    expect(getEventListeners(hungUp.signal, 'abort')).toHaveLength(1);
    turnOf(0).end();
    await call;
    expect(getEventListeners(hungUp.signal, 'abort')).toEqual([]);
  });

  test('[0.12] before it was in line takes no place', async () => {
    const { turns, ask } = createQueue();
    expect(await ask(alice, {}, AbortSignal.abort())).toMatchObject({ status: 'CANCELLED' });
    expect(turns).toEqual([]);
  });
});

describe('a full queue', () => {
  const [one, other, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((peer) => ({ peer }));
  const tooMany = { status: 'FAILED', message: expect.stringContaining('too many analyses') };

  test('refuses who comes last, if others have no more calls in it', async () => {
    const { queue, ask } = createQueue({ waiting: 2 });
    const running = ask(alice, third);
    const waiting = [ask(alice, one), ask(bob, other)];
    expect(await ask(carol, third)).toMatchObject(tooMany);
    const refused = ask(carol, { peer: '192.0.2.4' });
    expect(queue.inHand).toBe(1 + waiting.length);
    expect(await refused).toMatchObject(tooMany);
    const unanswered = Promise.resolve('unanswered');
    expect(await Promise.race([running, ...waiting, unanswered])).toBe('unanswered');
  });

  test('[T12] takes its place from the newest call of those addresses that have most', async () => {
    const { queue, ask } = createQueue({ waiting: 4 });
    void ask(carol, third);
    const waiting = [one, other, one, other].map((peer) => ask(alice, peer));
    void ask(bob, { peer: '192.0.2.4' });
    expect(await waiting[3]).toMatchObject(tooMany);
    expect(queue.inHand).toBe(5);
  });
});

describe('one who calls again and again', () => {
  const flood = { peer: '192.0.2.9' };

  test('[T12] fills no turn while others wait', async () => {
    const { turns, turnOf, ask } = createQueue({ callsPerTurn: 2 });
    const ahead = ask(carol);
    const calls = [ask(alice, flood), ask(alice, flood), ask(alice, flood), ask(bob)];
    turnOf(0).end();
    await ahead;
    await Promise.resolve();
    expect(turns.map(callersOf)).toEqual([[carol], [alice, bob]]);
    turnOf(1).end();
    await calls[3];
    await Promise.resolve();
    expect(turns.map(callersOf)).toEqual([[carol], [alice, bob], [alice, alice]]);
  });

  test('[T12] keeps nobody from waiting by what runs', async () => {
    const { turnOf, ask } = createQueue({ waiting: 1 });
    const running = ask(alice, flood);
    const honest = ask(carol);
    turnOf(0).end();
    await running;
    await Promise.resolve();
    expect(callersOf(turnOf(1))).toEqual([carol]);
    turnOf(1).end();
    await honest;
  });

  test('[T12] gives way to others when the queue is full, with its only waiting call if another one runs', async () => {
    const { turnOf, ask } = createQueue({ waiting: 1 });
    const running = ask(alice, flood);
    const waiting = ask(bob, flood);
    const honest = ask(carol);
    turnOf(0).end();
    await running;
    await Promise.resolve();
    expect(callersOf(turnOf(1))).toEqual([carol]);
    expect((await waiting).message).toContain('too many analyses waiting');
    turnOf(1).end();
    await honest;
  });

  test('[0.1][T12] gives way to others when the queue is full, with the call that came last', async () => {
    const { queue, turnOf, ask } = createQueue({ waiting: 3 });
    const running = ask(alice, flood);
    const first = ask(alice, flood);
    const last = [ask(bob, flood), ask(alice, flood)];
    const honest = ask(carol);
    expect(await last[1]).toMatchObject({
      status: 'FAILED',
      message: 'There are too many analyses waiting; try again later.',
    });
    expect((await ask(alice, flood)).message).toContain('too many analyses waiting');
    expect(queue.inHand).toBe(4);
    turnOf(0).end();
    await running;
    await Promise.resolve();
    expect(callersOf(turnOf(1))).toEqual([alice, bob, carol]);
    turnOf(1).end();
    expect(await Promise.all([first, last[0], honest])).toHaveLength(3);
  });
});

test('[0.10] a stop cancels who waits, and who was still being checked, and lasts until the turn has ended', async () => {
  const { queue, turns, turnOf, ask } = createQueue();
  const running = ask(alice);
  const waiting = ask(bob);
  let hasEnded = false;
  const drained = queue.drain().then(() => {
    hasEnded = true;
  });
  expect(await waiting).toMatchObject({ status: 'CANCELLED' });
  expect(await ask(carol)).toMatchObject({ status: 'CANCELLED' });
  turnOf(0).answer(alice, completed);
  expect(await running).toEqual(completed);
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  turnOf(0).end();
  await drained;
  expect(turns).toHaveLength(1);
});

test('the queue is empty when those have their answers too who waited for a turn of their own', async () => {
  const { queue, turnOf, ask } = createQueue();
  const calls = [ask(alice), ask(bob)];
  let isEmpty = false;
  const empty = queue.whenEmpty().then(() => {
    isEmpty = true;
  });
  turnOf(0).end();
  await calls[0];
  await new Promise(setImmediate);
  expect(isEmpty).toBe(false);
  turnOf(1).end();
  await Promise.all([...calls, empty]);
});

test('a stop of an idle service leaves no timer', async () => {
  vi.useFakeTimers();
  try {
    await createQueue().queue.drain();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('the last run is the highest of the last analysis that left a document', async () => {
  const queue = new AnalysisQueue(unlimited, (turn) => {
    const seconds = [2, 3, 1];
    for (const [index, { id }] of turn.calls.entries()) {
      turn.answer(id, { ...completed, run_id: `20260819T09150${seconds[index] ?? 9}Z` });
    }
    return Promise.resolve();
  });
  // Its clock ran ahead.
  queue.lastRun = { id: '20310101T000000Z', at: '2031-01-01T00:00:00.000+00:00' };
  const signal = new AbortController().signal;
  const dan = 'https://pods.example/dan/profile/card#me';
  // The first has a turn of its own.
  const callers = [alice, bob, carol, dan];
  await Promise.all(callers.map((webId) => queue.enqueue({ webId, peer: '' }, signal)));
  expect(queue.lastRun).toEqual({ id: '20260819T091503Z', at: completed.generated_at });
});

test('a call that failed is no last run', async () => {
  const { queue, turnOf, ask } = createQueue();
  const before = queue.lastRun;
  const call = ask(alice);
  turnOf(0).answer(alice, { ...completed, status: 'FAILED' });
  turnOf(0).end();
  await call;
  expect(queue.lastRun).toEqual(before);
});

test('[T12] of a full queue a flood gives way, not who waits alone', async () => {
  const flood = { peer: '192.0.2.66' };
  const { turnOf, ask } = createQueue({ waiting: 3 });
  const running = ask(carol, { peer: '192.0.2.9' });
  const ofFlood = [ask(bob, flood), ask(bob, flood)];
  const honest = ask(alice, { peer: '192.0.2.1' });
  const arrived = ask(carol, { peer: '192.0.2.2' });
  expect((await ofFlood[1])?.message).toContain('too many analyses waiting');
  turnOf(0).end();
  await running;
  await Promise.resolve();
  expect(callersOf(turnOf(1))).toEqual([bob, alice, carol]);
  turnOf(1).end();
  await Promise.all([ofFlood[0], honest, arrived]);
});

test('[T13] one WebID has a bounded number of calls in hand, running and waiting, and nobody else is kept out by that', async () => {
  const { turnOf, ask } = createQueue({ perCaller: 2 });
  const own = [ask(alice), ask(alice)];
  expect(await ask(alice)).toMatchObject({
    status: 'FAILED',
    message: 'There are too many analyses in hand for this WebID; wait for one to end.',
  });
  const other = ask(bob);
  turnOf(0).end();
  await own[0];
  await Promise.resolve();
  // The first was answered, so there is room again.
  const third = ask(alice);
  expect(callersOf(turnOf(1))).toEqual([alice, bob]);
  turnOf(1).end();
  await Promise.all([own[1], other]);
  await Promise.resolve();
  turnOf(2).end();
  expect((await third).message).not.toContain('too many');
});

test('[0.4] a Cancel of what is past the last checkpoint cancels nothing', async () => {
  const { queue, turnOf, ask } = createQueue();
  const call = ask(alice);
  const { turn, answer, end } = turnOf(0);
  await turn.commit();
  expect(queue.cancel(alice)).toMatchObject([{ isCancelled: false }]);
  answer(alice, completed);
  expect(await call).toEqual(completed);
  end();
});

test('[0.10] a stop ends the writing of a turn that outstays its time of grace, and not before', async () => {
  vi.useFakeTimers();
  try {
    const { queue, turnOf, ask } = createQueue();
    const call = ask(alice);
    const { turn, answer, end } = turnOf(0);
    await turn.commit();
    const drained = queue.drain(25_000);
    await vi.advanceTimersByTimeAsync(24_999);
    expect(turn.writingEnds.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(turn.writingEnds.aborted).toBe(true);
    answer(alice, completed);
    end();
    await Promise.all([call, drained]);
  } finally {
    vi.useRealTimers();
  }
});
