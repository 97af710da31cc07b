import { readFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownBuild } from '../../src/cli/own-build.js';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { PlainClient } from '../grpc/plain-client.js';
import { startAnalyserService } from '../support/analyser-service.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import {
  type Contributor,
  createContributor,
  plantKey,
  shareFolder,
  weekly,
} from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { outputBelow } from '../support/output-below.js';
import { checkResults, collectCohort, collectOwn } from '../support/published.js';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js';
import { newFolder } from '../support/temp-folder.js';
import { type Process, startProcess } from './processes.js';

/** A service and its workers, each a process of its own, over a real Redis. */
let server: ProxiedServer;
let redis: RedisServer;
let analyser: InitialisedPod;
let anna: Contributor;
let ben: Contributor;
let carl: InitialisedPod;
const started: { kill(): Promise<void> }[] = [];

type Service = Process & { client: PlainClient };

async function startService(
  settings: { sections?: Record<string, object> } = {},
): Promise<Service> {
  const one = await startProcess('grpc', analyser, { redisUrl: redis.url, ...settings });
  started.push(one);
  const [, port] = await one.said(/serving gRPC on 127\.0\.0\.1:(\d+)/);
  return { ...one, client: new PlainClient(Number(port)) };
}

async function startWorker(settings: { sections?: Record<string, object> } = {}): Promise<Process> {
  const one = await startProcess('worker', analyser, { redisUrl: redis.url, ...settings });
  started.push(one);
  await one.said(/the service is ready/);
  return one;
}

/** An analysis for Anna, of which a read has no answer. */
async function hangingAnalysis({ client }: Service, skip = 0) {
  const hanging = server.proxy.inject({ when: isReading, skip, fault: { kind: 'hang' } });
  const reply = client.analyse(anna.pod.webId);
  await hanging.hit();
  return { reply };
}

async function untilReady({ client }: Service): Promise<void> {
  await expect.poll(() => client.status(), patience).toMatchObject({ ready: true });
}

async function latest(folder: string): Promise<ResultsDocument> {
  return checkResults(JSON.parse(await readFile(joinPath(folder, 'latest.json'), 'utf8')));
}

const ofOneRun = new Set(['run_id', 'generated_at', 'charts']);

/** Numbers that differ only in their last bits become the same; what names a run is left out. */
function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => {
      if (ofOneRun.has(key)) return undefined;
      return typeof part === 'number' ? Number(part.toPrecision(12)) : part;
    }),
  );
}

const isReading = ({ method, url }: { method: string; url: string }) =>
  method === 'GET' && url.includes('/data/blood_pressure/');
const patience = { timeout: 60_000 };
const completed = { status: 'ANALYSE_STATUS_COMPLETED' };

describe.runIf(hasRedis)('workers', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    [redis, server] = await Promise.all([startRedis(), startProxiedServer()]);
    analyser = await createInitialisedPod(server);
    const many = Array.from({ length: 35 }, (_, index): [number, number, number | null] => [
      110.3 + 1.7 * index,
      70.1 + (index % 7),
      index % 3 === 0 ? null : 60 + index,
    ]);
    carl = await createInitialisedPod(server);
    [anna, ben] = await Promise.all([
      createContributor(server, analyser, weekly(...many)),
      createContributor(server, analyser, weekly([110, 70, 50], [112, 75, null])),
    ]);
    await shareFolder(carl, analyser, weekly([130, 90, 70], [150, 100, 80]));
    await plantKey(ben, analyser, `${ben.pod.documents.app}data/blood_pressure/gone.json.enc.ttl`);
  }, 240_000);
  afterEach(async () => {
    server.proxy.heal();
    await Promise.all(started.splice(0).map((one) => one.kill()));
  });

  test('[4.15][T30] come to what one comes to, and Redis never sees what they share', async () => {
    await using alone = await startAnalyserService(server, analyser);
    const expectedReply = await alone.client.analyse(anna.pod.webId);
    const expected = [
      await latest(joinPath(alone.folder, 'results')),
      await collectOwn(analyser, anna),
      await collectCohort(analyser, anna),
    ];
    const [service, first, second] = await Promise.all([
      startService(),
      startWorker(),
      startWorker(),
    ]);
    await untilReady(service);
    const seen: string[] = [];
    const link = new Redis(redis.url);
    const monitor = await link.monitor();
    monitor.on('monitor', (_time, words: string[]) => seen.push(words.join(' ')));

    const reply = await service.client.analyse(anna.pod.webId);
    expect(comparable(reply)).toEqual(comparable(expectedReply));
    expect(reply).toMatchObject({ ...completed, files_read: 35, observation_count: 35 });
    const found = [
      await latest(joinPath(service.folder, 'var/results')),
      await collectOwn(analyser, anna),
      await collectCohort(analyser, anna),
    ];
    expect(comparable(found)).toEqual(comparable(expected));

    monitor.disconnect();
    link.disconnect();
    const dump = await redis.dump();
    const text = [...seen, ...[...dump].flat()].join('\n');
    expect(seen.some((command) => command.includes(':parts-'))).toBe(true);
    for (const telling of [
      // Not the letters 'http', which random base64 comes to now and then.
      '://',
      'localhost',
      'card#me',
      new URL(anna.pod.root).pathname,
      'systolic',
    ]) {
      expect(text).not.toContain(telling);
    }
    for (const secret of [analyser.securityKey, analyser.account.clientSecret]) {
      expect(text).not.toContain(secret);
    }
    expect([...service.lines, ...first.lines, ...second.lines].join()).not.toContain(
      redis.password,
    );
    // Nothing of a job is left: its key ends in its id.
    expect([...dump.keys()].filter((key) => /[0-9a-f]{8}-[0-9a-f-]{27}/.test(key))).toEqual([]);
  });

  test('make up for a worker that dies, and count nothing twice', async () => {
    const [service, first, second] = await Promise.all([
      startService(),
      startWorker(),
      startWorker(),
    ]);
    await untilReady(service);
    second.child.kill('SIGSTOP');
    const { reply } = await hangingAnalysis(service, 5);
    first.child.kill('SIGKILL');
    server.proxy.heal();
    second.child.kill('SIGCONT');
    expect(await reply).toMatchObject({ ...completed, files_read: 35, observation_count: 35 });
  });

  test('are there for the next service when the first is killed, which makes whole what that one left', async () => {
    const output = outputBelow(await newFolder());
    const [dying] = await Promise.all([startService({ sections: { output } }), startWorker()]);
    await untilReady(dying);
    const hanging = server.proxy.inject({
      when: ({ method, url }) => method === 'PUT' && url.includes('/bp-cohort-average'),
      fault: { kind: 'hang' },
    });
    const broken = () => 'broken';
    const lost = [anna, ben].map(({ pod }) => dying.client.analyse(pod.webId).catch(broken));
    await hanging.hit();
    dying.child.kill('SIGKILL');
    server.proxy.heal();
    expect(await Promise.all(lost)).toEqual(['broken', 'broken']);
    const next = await startService({ sections: { output } });
    await untilReady(next);
    const reply = await next.client.analyse(anna.pod.webId);
    expect(reply).toMatchObject({ ...completed, files_read: 35, published: true });
    for (const collect of [collectOwn, collectCohort]) {
      const { generated_at } = await collect(analyser, anna);
      expect(generated_at).toBe(reply['generated_at']);
    }
  });

  test('are given up when they are all gone, and so is a Redis that hangs', async () => {
    const [service, worker] = await Promise.all([startService(), startWorker()]);
    await untilReady(service);
    const running = await hangingAnalysis(service);
    const waiting = service.client.analyse(ben.pod.webId);
    worker.child.kill('SIGKILL');
    const none = { message: expect.stringContaining('No worker of the same build is ready') };
    expect(await running.reply).toMatchObject({ status: 'ANALYSE_STATUS_FAILED', ...none });
    expect(await waiting).toMatchObject({ status: 'ANALYSE_STATUS_FAILED', ...none });
    server.proxy.heal();
    await startWorker();
    await untilReady(service);
    const again = await hangingAnalysis(service);
    redis.freeze();
    const away = { message: expect.stringContaining('Redis') };
    expect(await again.reply).toMatchObject({ status: 'ANALYSE_STATUS_FAILED', ...away });
    redis.thaw();
    server.proxy.heal();
    await untilReady(service);
    expect(await service.client.analyse(anna.pod.webId)).toMatchObject(completed);
  });

  test('do not work with a worker that cannot unlock the Pod, and both say why', async () => {
    const service = await startService();
    const locked = await startProcess(
      'worker',
      { ...analyser, account: { ...analyser.account, clientSecret: 'wrong' } },
      { redisUrl: redis.url },
    );
    started.push(locked);
    await locked.said(/not ready; it goes on trying/);
    await expect
      .poll(() => service.client.status(), patience)
      .toMatchObject({
        ready: false,
        message:
          'No worker of the same build is ready to read: start one from the same package with the mode worker, or look at its log.',
      });
    await startWorker();
    await untilReady(service);
  });

  test('[T30] work for their own Analyser alone, where two share one Redis', async () => {
    const other = await createInitialisedPod(server);
    const dora = await createContributor(server, other, weekly([140, 95, 80]));
    const worker = await startProcess('worker', other, { redisUrl: redis.url });
    started.push(worker);
    const service = await startService();
    // The other one's worker is there, and none of its own.
    await worker.said(/the service is ready/);
    await expect
      .poll(() => service.client.status(), patience)
      .toMatchObject({ ready: false, message: expect.stringContaining('No worker') });
    await startWorker();
    await untilReady(service);
    expect(await service.client.analyse(anna.pod.webId)).toMatchObject({
      ...completed,
      pod_count: 3,
    });
    const second = await startProcess('grpc', other, { redisUrl: redis.url });
    started.push(second);
    const [, port] = await second.said(/serving gRPC on 127\.0\.0\.1:(\d+)/);
    const client = new PlainClient(Number(port));
    await expect.poll(() => client.status(), patience).toMatchObject({ ready: true });
    expect(await client.analyse(dora.pod.webId)).toMatchObject({ ...completed, pod_count: 1 });
    client.close();
  });

  test('ask the storage server together for no more than is allowed at once', async () => {
    const sections = { scale: { max_requests: 3 } };
    const [service] = await Promise.all([
      startService({ sections }),
      startWorker({ sections }),
      startWorker({ sections }),
    ]);
    await untilReady(service);
    server.proxy.inject({ when: isReading, fault: { kind: 'delay', ms: 200 } });
    server.proxy.forget();
    let most = 0;
    const watch = setInterval(() => {
      const open = server.proxy.requests.filter((one) => isReading(one) && !one.status).length;
      most = Math.max(most, open);
    }, 5);
    const reply = await service.client.analyse(anna.pod.webId);
    clearInterval(watch);
    expect(reply).toMatchObject({ ...completed, files_read: 35 });
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
  });

  describe('of a service that stays', () => {
    let service: Service;
    let worker: Process;
    let output: ReturnType<typeof outputBelow>;

    beforeAll(async () => {
      output = outputBelow(await newFolder());
      [service, worker] = await Promise.all([
        startService({ sections: { output } }),
        startWorker(),
      ]);
      // They outlast the first test.
      started.length = 0;
    });
    beforeEach(() => untilReady(service));
    afterAll(async () => {
      await Promise.all([service.kill(), worker.kill()]);
    });

    test('read nothing more for a caller who cancels', async () => {
      server.proxy.forget();
      const { reply } = await hangingAnalysis(service);
      await service.client.cancel(anna.pod.webId);
      expect(await reply).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
      // What hangs is let go of by the worker, long before its own limit of time.
      const reading = server.proxy.requests.filter(isReading);
      await expect.poll(() => reading.map(({ isBroken }) => isBroken)).not.toContain(undefined);
      server.proxy.heal();
      expect(await service.client.analyse(ben.pod.webId)).toMatchObject(completed);
    });

    test('read for run-once as well', async () => {
      const folder = await newFolder();
      await writeConfigFile(folder, analyser, { output });
      const env = { APP_ANALYSER_REDIS_URL: redis.url };
      const running = service.client.analyse(anna.pod.webId);
      const { code, out } = await waitForEnd(startCommand(['run-once'], { cwd: folder, env }));
      expect(await running).toMatchObject({ ...completed, files_read: 35 });
      expect(code).toBe(0);
      expect(out).toMatch(/^pod count +3$/m);
      expect(out).toMatch(/^readings +39$/m);
      expect((await collectOwn(analyser, carl)).average.systolic).toBe(140);
    });

    test('lose an analysis to a Redis that forgets, and the next one nothing', async () => {
      const { reply } = await hangingAnalysis(service);
      await redis.stop();
      await redis.start();
      // The second, where a part was being handed over at that moment.
      expect(await reply).toMatchObject({
        status: 'ANALYSE_STATUS_FAILED',
        message: expect.stringMatching(/lost on its way to the workers|Redis.*cannot be reached/),
      });
      server.proxy.heal();
      await untilReady(service);
      expect(await service.client.analyse(anna.pod.webId)).toMatchObject({
        ...completed,
        files_read: 35,
      });
    });

    test('lose nothing to a Redis that is silent for two seconds', async () => {
      const { reply } = await hangingAnalysis(service, 3);
      redis.freeze();
      await pause(2_000);
      redis.thaw();
      server.proxy.heal();
      expect(await reply).toMatchObject({ ...completed, files_read: 35 });
    });

    test('say so while Redis is away, and are ready again when it is back', async () => {
      const { reply } = await hangingAnalysis(service);
      await redis.stop();
      const away = { message: expect.stringContaining('Redis') };
      expect(await reply).toMatchObject({ status: 'ANALYSE_STATUS_FAILED', ...away });
      server.proxy.heal();
      expect(await service.client.status()).toMatchObject({ ready: false, ...away });
      expect(await service.client.analyse(anna.pod.webId)).toMatchObject({
        status: 'ANALYSE_STATUS_FAILED',
        ...away,
      });
      // Who waits is known here, whatever Redis does.
      expect(await service.client.cancel(anna.pod.webId)).toMatchObject({
        status: 'CANCEL_STATUS_NOTHING_RUNNING',
      });
      await redis.start();
      await untilReady(service);
      expect(await service.client.analyse(anna.pod.webId)).toMatchObject({
        ...completed,
        files_read: 35,
      });
    });

    test('[T30] go on when somebody else writes to Redis', async () => {
      const intruder = new Redis(redis.url);
      const keys = await intruder.keys('*');
      const prefix = keys[0]?.slice(0, keys[0].indexOf('}') + 1) ?? '';
      const queues = keys.flatMap((key) => /^(.*):meta$/.exec(key)?.[1] ?? []);
      expect(queues).toContain(`${prefix}:parts-${ownBuild.digest}`);
      const events = ['added', 'active', 'completed', 'failed', 'removed', 'stop', 'progress'];
      for (const queue of queues) {
        for (const event of events) {
          const nothing = ['event', event, 'jobId', 'x', 'name', 'x'] as const;
          await intruder.xadd(`${queue}:events`, '*', ...nothing, 'data', '{', 'returnvalue', '{');
          await intruder.xadd(`${queue}:events`, '*', ...nothing, 'data', '7', 'returnvalue', '7');
        }
        await intruder.hset(`${queue}:nonsense`, { name: 'call', data: '"x"', opts: '{}', atm: 0 });
        await intruder.rpush(`${queue}:wait`, 'nonsense', 'without-anything');
      }
      intruder.disconnect();
      expect(await service.client.analyse(ben.pod.webId)).toMatchObject(completed);
      // A call that was made up is found out by the next look.
      const idle = { ready: true, active_runs: 0 };
      await expect.poll(() => service.client.status(), patience).toMatchObject(idle);
      expect([service.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
    });
  });
});
