import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/base/logger.js';
import { type AnalysisReport, reportWithoutResult } from '../../src/queue/analysis-report.js';
import type { NewCall, Turn } from '../../src/queue/turn.js';
import { BullQueue } from '../../src/scale/bull-queue.js';
import { Calls } from '../../src/scale/shared-calls.js';
import { SharedRedis } from '../../src/scale/shared-redis.js';
import { deriveSharedSecret, type SharedSecret } from '../../src/scale/shared-secret.js';
import { hasRedis, hasValkey, type RedisServer, startRedis } from '../support/redis-server.js';

/** The doors of several services, each with the queue over one real Redis. */
const log = createLogger({ verbose: false, stream: { write: () => undefined } });
const limits = { callersPerTurn: 3, all: 4, perCaller: 2, perPeer: 3 };
const webIdOf = (name: string) => `https://pods.example.org/${name}/profile/card#me`;
const [anna, ben, carl] = [webIdOf('anna'), webIdOf('ben'), webIdOf('carl')];

let redis: RedisServer;
let secret: SharedSecret;
let closing: Array<() => Promise<unknown>> = [];

interface HeldTurn {
  door: number;
  turn: Turn;
  previousRunId: string;
  end: () => void;
}

/** Doors whose turns end when the test says so, unless they are not to be held. */
class Doors {
  readonly turns: HeldTurn[] = [];
  readonly queues: BullQueue[] = [];
  isHolding = true;

  open(options: { version?: string; limits?: Partial<typeof limits> } = {}) {
    const door = this.queues.length;
    const { version = '1.0.0' } = options;
    const link = new SharedRedis(redis.url, secret.prefix, log);
    const queue = new BullQueue(
      link,
      new Calls(link, secret, version),
      () => Promise.resolve(''),
      { ...limits, ...options.limits },
      (newTurn) =>
        new Promise<void>((resolve, reject) => {
          const { size, previousRunId } = newTurn;
          const turn = newTurn.giveRunIds(Array(size).fill('20260820T100000Z'));
          turn.signal.addEventListener('abort', () => reject(new Error('stopped')));
          const held = { door, turn, previousRunId, end: resolve };
          this.turns.push(held);
          if (!this.isHolding) finish(held).catch(reject);
        }),
      { id: '', at: '' },
    );
    this.queues.push(queue);
    closing.push(async () => {
      await link.close();
    });
    return queue;
  }

  async turn(index: number): Promise<HeldTurn> {
    await until(() => this.turns.length).toBeGreaterThan(index);
    const held = this.turns[index];
    if (held === undefined) throw new Error('no such turn');
    return held;
  }
}

function until(value: () => unknown) {
  return expect.poll(value, { timeout: 30_000 });
}

function call(queue: BullQueue, webId: string | null, peer = '192.0.2.1') {
  const began: string[] = [];
  const hungUp = new AbortController();
  const newCall: NewCall = { webId, caller: webId, peer, onTurn: () => began.push('turn') };
  const answered = queue.enqueue(newCall, hungUp.signal);
  answered.catch(() => undefined);
  return { answered, began, hangUp: () => hungUp.abort() };
}

/** Anna's call has the turn, Ben's waits at another door. */
async function runAndWait() {
  const doors = new Doors();
  const [one, other] = [doors.open(), doors.open()];
  const running = call(one, anna);
  const held = await doors.turn(0);
  const waiting = call(other, ben);
  await until(() => one.inHand).toBe(2);
  return { doors, one, other, running, held, waiting };
}

const report = (id: string, runId = '20260820T100000Z'): AnalysisReport => ({
  ...reportWithoutResult('FAILED', `of ${id}`, runId),
  status: 'COMPLETED',
  generated_at: '2026-08-20T10:00:01.000+00:00',
});

/** Every call of the turn gets its own report. */
async function finish({ turn, end }: HeldTurn): Promise<void> {
  const left = await turn.commit();
  for (const { id, webId } of turn.calls) {
    if (left.has(id)) turn.answer(id, report(webId ?? 'everybody'));
  }
  end();
}

const completedFor = (webId: string) => ({ status: 'COMPLETED', message: `of ${webId}` });

const programs = [
  { program: 'redis-server', isInstalled: hasRedis },
  { program: 'valkey-server', isInstalled: hasValkey },
] as const;

for (const { program, isInstalled } of programs) {
  describe.runIf(isInstalled)(`a queue over several doors, ${program}`, { timeout: 60_000 }, () => {
    beforeAll(async () => {
      [redis, secret] = await Promise.all([
        startRedis(null, program),
        deriveSharedSecret('security key', 'https://pods.example.org/analyser/profile/card#me'),
      ]);
    });
    afterEach(async () => {
      redis.thaw();
      await Promise.all(closing.map((close) => close()));
      closing = [];
      await redis.stop();
      await redis.start();
    });
    afterAll(() => redis.stop());

    test('serves together whoever waits when the turn comes, each with their own reply', async () => {
      const doors = new Doors();
      const [one, other] = [doors.open(), doors.open()];
      const first = call(one, anna);
      const running = await doors.turn(0);
      expect(running.turn.calls.map(({ webId }) => webId)).toEqual([anna]);
      const [second, third] = [call(one, ben, '192.0.2.2'), call(other, carl, '192.0.2.3')];
      await until(() => [one.inHand, other.inHand]).toEqual([3, 3]);
      expect([first, second, third].map(({ began }) => began.length)).toEqual([1, 0, 0]);
      await finish(running);
      expect(await first.answered).toMatchObject(completedFor(anna));
      const next = await doors.turn(1);
      expect(next.turn.calls.map(({ webId }) => webId).sort()).toEqual([ben, carl]);
      expect(next.previousRunId).toBe('20260820T100000Z');
      await until(() => [second, third].map(({ began }) => began.length)).toEqual([1, 1]);
      await finish(next);
      expect(await second.answered).toMatchObject(completedFor(ben));
      expect(await third.answered).toMatchObject(completedFor(carl));
      await until(() => [one.inHand, other.inHand]).toEqual([0, 0]);
      expect(doors.turns).toHaveLength(2);
      await until(() => other.lastRun.id).toBe('20260820T100000Z');
      const late = doors.open();
      await until(() => late.lastRun.at).toBe('2026-08-20T10:00:01.000+00:00');
    });

    test('takes no more than the callers of one turn, the others with the next', async () => {
      const doors = new Doors();
      const few = doors.open({ limits: { callersPerTurn: 1 } });
      const calls = [anna, ben, carl].map((webId) => call(few, webId));
      for (const [index, webId] of [anna, ben, carl].entries()) {
        const held = await doors.turn(index);
        expect(held.turn.calls.map((one) => one.webId)).toEqual([webId]);
        await finish(held);
      }
      const reports = await Promise.all(calls.map(({ answered }) => answered));
      expect(reports.map(({ status }) => status)).toEqual(Array(3).fill('COMPLETED'));
    });

    test('stops at one door what runs and what waits at another, and nobody else', async () => {
      const doors = new Doors();
      const [one, other] = [doors.open({ limits: { callersPerTurn: 2 } }), doors.open()];
      const running = [call(one, anna), call(one, ben)];
      const held = await doors.turn(0);
      if (held.turn.calls.length === 1) {
        // The turn came before the second call: both have one of their own.
        expect(held.turn.calls[0]?.webId).toBe(anna);
      }
      const waiting = call(one, anna, '192.0.2.2');
      await until(() => other.inHand).toBe(3);
      await until(async () => (await other.cancel(carl)).length).toBe(0);
      const answer = await other.cancel(anna);
      expect(answer.map(({ stopped }) => stopped)).toEqual([true, true]);
      expect(answer.map(({ runId }) => runId).sort()).toEqual(['', '20260820T100000Z']);
      expect(await waiting.answered).toMatchObject({ status: 'CANCELLED' });
      expect(await running[0]?.answered).toMatchObject({ status: 'CANCELLED' });
      expect(await other.cancel(anna)).toEqual([]);
      if (held.turn.signal.aborted) await finish(await doors.turn(1));
      else await finish(held);
      expect(await running[1]?.answered).toMatchObject(completedFor(ben));
    });

    test('never says STOPPED of a run that publishes, nor publishes what was stopped', async () => {
      const doors = new Doors();
      const [one, other] = [doors.open(), doors.open()];
      for (let round = 0; round < 30; round += 1) {
        const made = call(one, anna);
        const { turn, end } = await doors.turn(round);
        const [left, answer] = await Promise.all([
          turn.commit().catch(() => new Set<string>()),
          other.cancel(anna),
        ]);
        expect(answer.map(({ stopped }) => stopped)).toEqual([left.size === 0]);
        for (const id of left) turn.answer(id, report(anna));
        end();
        expect((await made.answered).status).toBe(left.size === 0 ? 'CANCELLED' : 'COMPLETED');
      }
    });

    test('refuses what is one too many, wherever it arrives', async () => {
      const doors = new Doors();
      const [one, other] = [doors.open(), doors.open()];
      const calls = [call(one, anna, '192.0.2.1'), call(other, anna, '192.0.2.2')];
      await until(() => [one.inHand, other.inHand]).toEqual([2, 2]);
      await expect(call(one, anna, '192.0.2.3').answered).rejects.toThrow('for this WebID');
      calls.push(call(one, ben, '192.0.2.1'), call(other, carl, '192.0.2.1'));
      await until(() => [one.inHand, other.inHand]).toEqual([4, 4]);
      await expect(call(one, carl, '192.0.2.4').answered).rejects.toThrow(
        'too many analyses waiting',
      );
      for (const { hangUp } of calls) hangUp();
      const reports = await Promise.all(calls.map(({ answered }) => answered));
      expect(reports.map(({ status }) => status)).toEqual(Array(4).fill('CANCELLED'));
      await until(() => [one.inHand, other.inHand]).toEqual([0, 0]);
    });

    test('gives an operator a turn of their own among the callers', async () => {
      const doors = new Doors();
      const [service, once] = [doors.open(), doors.open()];
      const first = call(service, anna);
      const running = await doors.turn(0);
      const everybody = call(once, null, '');
      const second = call(service, ben);
      await until(() => service.inHand).toBe(2);
      await finish(running);
      expect(await first.answered).toMatchObject(completedFor(anna));
      await finish(await doors.turn(1));
      await finish(await doors.turn(2));
      expect(await everybody.answered).toMatchObject(completedFor('everybody'));
      expect(await second.answered).toMatchObject(completedFor(ben));
      const own = doors.turns.filter(({ door }) => door === 1);
      expect(own.map(({ turn }) => turn.calls.map(({ webId }) => webId))).toEqual([[null]]);
    });

    test('leaves the callers of other doors to another process when this one shuts down', async () => {
      const doors = new Doors();
      const [leaving, staying] = [doors.open(), doors.open()];
      const blocking = call(leaving, carl);
      const running = await doors.turn(0);
      const [own, other] = [call(leaving, anna), call(staying, ben)];
      await until(() => leaving.inHand).toBe(3);
      await finish(running);
      await blocking.answered;
      const together = await doors.turn(1);
      expect(together.turn.calls).toHaveLength(2);
      const stopping = doors.queues[together.door];
      stopping?.close();
      stopping?.stopRunning();
      await stopping?.whenEmpty();
      await finish(await doors.turn(2));
      const reports = [await own.answered, await other.answered];
      const ofLeaver = stopping === leaving ? 0 : 1;
      expect(reports[ofLeaver]).toMatchObject({
        status: 'CANCELLED',
        message: expect.stringContaining('shutting down'),
      });
      expect(reports[1 - ofLeaver]?.status).toBe('COMPLETED');
    });

    test('gives up what Redis has forgotten or does not answer, and goes on after that', async () => {
      const doors = new Doors();
      const [one, other] = [doors.open(), doors.open()];
      const frozen = call(one, anna);
      const held = await doors.turn(0);
      redis.freeze();
      const givenUp = { status: 'FAILED', message: expect.stringContaining('Redis') };
      expect(await frozen.answered).toMatchObject(givenUp);
      expect(held.turn.signal.reason).toMatchObject({ kind: 'redis' });
      expect(one.problem).toContain('cannot be reached');
      redis.thaw();
      const forgotten = call(other, ben);
      await doors.turn(1);
      await redis.stop();
      await redis.start();
      expect(await forgotten.answered).toMatchObject(givenUp);
      const last = call(one, carl);
      await finish(await doors.turn(2));
      expect(await last.answered).toMatchObject(completedFor(carl));
    });

    test('takes over when the one with the turn is silent', async () => {
      const doors = new Doors();
      const [one, other] = [doors.open(), doors.open()];
      call(one, anna);
      await doors.turn(0);
      const waiting = call(other, ben, '192.0.2.2');
      await until(() => other.inHand).toBe(2);
      // As if it had died: nothing is renewed and nothing is said.
      await closing.shift()?.();
      const next = await doors.turn(1);
      expect(next.door).toBe(1);
      await finish(next);
      expect(await waiting.answered).toMatchObject(completedFor(ben));
    });

    test('serves the call of a door that has died unheard, and the others as ever', async () => {
      const doors = new Doors();
      const [one, dying] = [doors.open(), doors.open()];
      const first = call(one, carl, '192.0.2.3');
      const running = await doors.turn(0);
      call(dying, anna);
      const waiting = call(one, ben, '192.0.2.2');
      await until(() => one.inHand).toBe(3);
      await closing.pop()?.();
      await finish(running);
      expect(await first.answered).toMatchObject(completedFor(carl));
      const next = await doors.turn(1);
      expect(next.turn.calls.map(({ webId }) => webId).sort()).toEqual([anna, ben]);
      await finish(next);
      expect(await waiting.answered).toMatchObject(completedFor(ben));
      await until(() => one.inHand).toBe(0);
    });

    test('loses nothing to a Redis that is silent for two seconds', async () => {
      const { doors, running, held, waiting } = await runAndWait();
      redis.freeze();
      await pause(2_000);
      redis.thaw();
      await finish(held);
      expect(await running.answered).toMatchObject(completedFor(anna));
      await finish(await doors.turn(1));
      expect(await waiting.answered).toMatchObject(completedFor(ben));
      expect(doors.turns).toHaveLength(2);
    });

    test.each([
      {
        what: 'gone',
        end: async () => {
          await redis.stop();
        },
        begin: async () => {
          await redis.start();
        },
      },
      {
        what: 'silent',
        end: () => {
          redis.freeze();
          return Promise.resolve();
        },
        begin: () => {
          redis.thaw();
          return Promise.resolve();
        },
      },
    ])(
      'answers everybody once when Redis is $what for 20 seconds, and goes on after that',
      async ({ end, begin }) => {
        const { doors, one, other, running, held, waiting } = await runAndWait();
        const since = performance.now();
        await end();
        const givenUp = { status: 'FAILED', message: expect.stringContaining('Redis') };
        expect(await running.answered).toMatchObject(givenUp);
        expect(await waiting.answered).toMatchObject(givenUp);
        expect(() => held.turn.commit()).toThrow('Redis');
        await pause(20_000 - (performance.now() - since));
        // What a silent Redis has kept of those who were answered may be served unheard.
        doors.isHolding = false;
        await begin();
        await until(() => [one.problem, other.problem]).toEqual(['', '']);
        const next = call(one, carl, '192.0.2.3');
        expect(await next.answered).toMatchObject(completedFor(carl));
        await until(() => [one.inHand, other.inHand]).toEqual([0, 0]);
      },
    );

    test('shares the turn with another version, and never its calls', async () => {
      const doors = new Doors();
      const [one, other] = [doors.open(), doors.open({ version: '2.0.0' })];
      const older = call(one, anna);
      const first = await doors.turn(0);
      const newer = call(other, ben);
      await until(() => newer.began.length + other.inHand).toBe(1);
      expect(doors.turns).toHaveLength(1);
      await finish(first);
      expect(await older.answered).toMatchObject(completedFor(anna));
      const second = await doors.turn(1);
      expect([first, second].map(({ door }) => door)).toEqual([0, 1]);
      await finish(second);
      expect(await newer.answered).toMatchObject(completedFor(ben));
    });
  });
}
