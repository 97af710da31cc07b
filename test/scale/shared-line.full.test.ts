import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/base/logger.js';
import { Crew } from '../../src/scale/crew.js';
import { RunControl } from '../../src/scale/run-control.js';
import { SharedLine } from '../../src/scale/shared-line.js';
import { SharedRedis } from '../../src/scale/shared-redis.js';
import { deriveSharedSecret, type SharedSecret } from '../../src/scale/shared-secret.js';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js';

/** Two services' places in one line, over a real Redis. */
const log = createLogger({ verbose: false, stream: { write: () => undefined } });
const limits = { inHand: 8, all: 4, perCaller: 2, perPeer: 3 };
const [anna, ben, carl] = ['anna', 'ben', 'carl'].map(
  (name) => `https://pods.example.org/${name}/profile/card#me`,
);

let redis: RedisServer;
let secret: SharedSecret;
let closing: Array<() => Promise<unknown>> = [];

async function openLine(): Promise<SharedLine> {
  const link = new SharedRedis(redis.url, { prefix: secret.prefix, log });
  await link.firstContact();
  const crew = new Crew(link, secret.prefix, { role: 'service', version: '1.0.0' });
  const line = new SharedLine(link, secret, crew, limits);
  closing.push(async () => {
    await Promise.all([line.dispose(), crew.leave()]);
    link.close();
  });
  return line;
}

const until = (value: () => unknown) => expect.poll(value, { timeout: 20_000 });

/** A caller whose analysis ends when the test says so. */
function call(line: SharedLine, caller = '', peer = '192.0.2.1') {
  const control = new RunControl();
  let begin = (): void => undefined;
  let end: (text: string) => void = () => undefined;
  const began = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<string>((resolve, reject) => {
    end = resolve;
    control.signal.addEventListener('abort', () => reject(new Error('stopped')));
  });
  const outcome = line.take({ caller, peer, control }, () => {
    begin();
    return ended;
  });
  ended.catch(() => undefined);
  outcome.catch(() => undefined);
  return { control, began, end: (text: string) => end(text), outcome };
}

describe.runIf(hasRedis)('a line over two services', () => {
  beforeAll(async () => {
    [redis, secret] = await Promise.all([
      startRedis(),
      deriveSharedSecret('security key', 'https://pods.example.org/analyser/profile/card#me'),
    ]);
  });
  afterEach(async () => {
    await Promise.all(closing.map((close) => close()));
    closing = [];
  });
  afterAll(() => redis.stop());

  test('lets one at a time have the turn, in order of arrival, and counts all', async () => {
    const [one, other] = await Promise.all([openLine(), openLine()]);
    const first = call(one, anna);
    await first.began;
    const second = call(other, ben);
    await until(() => one.inHand).toBe(2);
    const third = call(one, carl);
    await until(() => other.inHand).toBe(3);
    const began: string[] = [];
    void second.began.then(() => began.push('second'));
    void third.began.then(() => began.push('third'));
    first.end('done');
    expect(await first.outcome).toBe('done');
    await second.began;
    expect(began).toEqual(['second']);
    second.end('done');
    await third.began;
    third.end('done');
    await third.outcome;
    await until(() => other.inHand).toBe(0);
  });

  test('lets a Cancel at one stop what runs and waits at the other', async () => {
    const [one, other] = await Promise.all([openLine(), openLine()]);
    const running = call(one, anna);
    await running.began;
    running.control.runId = '20260820T100000Z';
    const waiting = call(one, anna);
    await until(() => other.inHand).toBe(2);
    const answer = await other.cancel(anna ?? '');
    expect(answer.map(({ stopped }) => stopped)).toEqual([true, true]);
    expect(answer.map(({ runId }) => runId).sort()).toEqual(['', '20260820T100000Z']);
    await expect(running.outcome).rejects.toThrow('stopped');
    await expect(waiting.outcome).rejects.toMatchObject({ kind: 'cancelled' });
    expect(await other.cancel(anna ?? '')).toEqual([]);
  });

  test('never says STOPPED of a run that publishes, nor publishes what was stopped', async () => {
    const [one, other] = await Promise.all([openLine(), openLine()]);
    const outcomes = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const run = call(one, anna);
      await run.began;
      const [commit, answer] = await Promise.all([
        run.control.commit().then(
          () => 'published',
          () => 'stopped',
        ),
        other.cancel(anna ?? ''),
      ]);
      const told = answer[0]?.stopped === true ? 'stopped' : 'published';
      expect(commit).toBe(told);
      outcomes.add(told);
      run.end('done');
      await run.outcome.catch(() => undefined);
    }
    // Both at once: which one is first is a matter of chance, that they agree is not.
    expect(outcomes.size).toBeGreaterThan(0);
  });

  test('refuses what is one too many, wherever it arrives', async () => {
    const [one, other] = await Promise.all([openLine(), openLine()]);
    const calls = [call(one, anna, '192.0.2.1'), call(other, anna, '192.0.2.2')];
    await until(() => one.inHand).toBe(2);
    await expect(call(one, anna, '192.0.2.3').outcome).rejects.toThrow('for this WebID');
    calls.push(call(one, ben, '192.0.2.1'), call(other, carl, '192.0.2.1'));
    await until(() => other.inHand).toBe(4);
    await expect(call(one, carl, '192.0.2.4').outcome).rejects.toThrow('too many analyses waiting');
    for (const { control } of calls) control.stop('shutdown');
    await Promise.allSettled(calls.map(({ outcome }) => outcome));
    await until(() => one.inHand).toBe(0);
  });

  test('forgets a service that is gone, and tells one that Redis has forgotten', async () => {
    const [one, other] = await Promise.all([openLine(), openLine()]);
    const running = call(one, anna);
    await running.began;
    redis.freeze();
    await expect(running.outcome).rejects.toThrow('stopped');
    expect(running.control.signal.reason).toMatchObject({ kind: 'redis' });
    expect(one.problem).toContain('cannot be reached');
    redis.thaw();
    const next = call(other, ben);
    await next.began;
    await redis.stop();
    await redis.start();
    await expect(next.outcome).rejects.toThrow('stopped');
    const last = call(one, carl);
    await last.began;
    last.end('done');
    expect(await last.outcome).toBe('done');
  });

  test('remembers the last run for all, and gives out its id', async () => {
    const [one, other] = await Promise.all([openLine(), openLine()]);
    const first = call(one, anna);
    await first.began;
    first.control.runId = '20260820T100000Z';
    first.end('done');
    await first.outcome;
    await one.record({ id: '20260820T100000Z', at: '2026-08-20T10:00:01.000+00:00' });
    await until(() => other.lastRun.id).toBe('20260820T100000Z');
    const second = call(other, ben);
    await second.began;
    expect(second.control.previousRunId).toBe('20260820T100000Z');
    second.end('done');
    await second.outcome;
    const third = await openLine();
    await until(() => third.lastRun.at).toBe('2026-08-20T10:00:01.000+00:00');
  });
});
