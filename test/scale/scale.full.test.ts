import { createPublicKey } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/base/logger.js';
import { version } from '../../src/cli/version.js';
import { configSchema } from '../../src/config/schema.js';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { sealValue } from '../../src/pod/crypto/rsa.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { writeEncryptedResources } from '../../src/pod/write-encrypted-resource.js';
import { unobserved } from '../../src/run/observer.js';
import { join } from '../../src/scale/join.js';
import { startWorker as startWorkerHere } from '../../src/scale/worker.js';
import { PlainClient } from '../grpc/plain-client.js';
import { startRealService } from '../grpc/real-service.js';
import { startCommand, waitForEnd } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import {
  type Contributor,
  createContributor,
  plantKey,
  readingAddress,
  readingText,
  weekly,
} from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { checkResults, collectCohort, collectOwn } from '../support/published.js';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js';
import { type Process, startProcess } from './processes.js';

/** Several services and workers, each a process of its own, over a real Redis. */
let server: ProxiedServer;
let redis: RedisServer;
let analyser: InitialisedPod;
let anna: Contributor;
let ben: Contributor;
let carl: InitialisedPod;
let all: InitialisedPod[];
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

/** For a part that runs in the process of the test. */
function settingsHere() {
  const { clientId, clientSecret, webId } = analyser.account;
  const { securityKey } = analyser;
  const redisUrl = redis.url;
  return {
    config: configSchema.parse({ analyser: { web_id: webId, server_url: server.baseUrl } }),
    secrets: { securityKey, clientId, clientSecret, grpcToken: null, redisUrl },
    redisUrl,
    observer: unobserved,
  };
}

async function untilReady({ client }: Service): Promise<void> {
  await expect.poll(() => client.status(), patience).toMatchObject({ ready: true });
}

async function latest(folder: string): Promise<ResultsDocument> {
  return checkResults(JSON.parse(await readFile(joinPath(folder, 'latest.json'), 'utf8')));
}

const ofOneRun = new Set(['run_id', 'generated_at', 'charts', 'result_sha256']);

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
const patience = { timeout: 20_000 };
const completed = { status: 'ANALYSE_STATUS_COMPLETED' };

describe.runIf(hasRedis)('several processes', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    [redis, server] = await Promise.all([startRedis(), startProxiedServer()]);
    analyser = await createInitialisedPod(server);
    const many = Array.from({ length: 35 }, (_, index): [number, number, number | null] => [
      110.3 + 1.7 * index,
      70.1 + (index % 7),
      index % 3 === 0 ? null : 60 + index,
    ]);
    carl = await createInitialisedPod(server);
    const folder = `${carl.pod.documents.app}data/blood_pressure/`;
    [anna, ben] = await Promise.all([
      createContributor(server, analyser, weekly(...many)),
      createContributor(server, analyser, weekly([110, 70, 50], [112, 75, null])),
    ]);
    const readings = weekly([130, 90, 70], [150, 100, 80]).map((reading) => ({
      url: readingAddress(carl, reading.timestamp),
      content: readingText(reading),
      inheritFrom: folder,
    }));
    await writeEncryptedResources(carl.client, carl.pod, readings);
    const recipientWebId = analyser.pod.webId;
    await shareResources(carl.client, carl.pod, { urls: [folder], recipientWebId });
    await plantKey(ben, analyser, `${ben.pod.documents.app}data/blood_pressure/gone.json.enc.ttl`);
    all = [analyser, anna, ben, carl];
  }, 240_000);
  afterEach(async () => {
    server.proxy.heal();
    await Promise.all(started.splice(0).map((one) => one.kill()));
  });
  afterAll(async () => {
    await Promise.all(all.map((one) => one.close()));
    await Promise.all([redis.stop(), server.stop()]);
  });

  test('come to what one comes to, and Redis never sees what they share', async () => {
    await using alone = await startRealService(analyser, server.baseUrl);
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
    for (const queue of ['calls', 'parts']) {
      expect(seen.some((command) => command.includes(`:${queue}-`))).toBe(true);
    }
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

  test('open what is new in a large inbox together', async () => {
    await Promise.all([startWorker(), startWorker()]);
    const membership = await join({
      ...settingsHere(),
      version,
      log: createLogger({ verbose: false, stream: { write: () => undefined } }),
    });
    const { openValues } = membership.podReader;
    const publicKey = createPublicKey(analyser.pod.privateKey);
    const texts = Array.from({ length: 1200 }, (_, index) => `address ${index}`);
    const sealed = texts.map((text) => sealValue(text, publicKey) ?? '');
    sealed[700] = 'of no use';
    // As a large inbox is opened: several pieces at once.
    const opened = await Promise.all([openValues?.(sealed), openValues?.(sealed.slice(0, 3))]);
    const expected: (string | undefined)[] = [...texts];
    expected[700] = undefined;
    expect(opened[0]?.map((bytes) => bytes?.toString())).toEqual(expected);
    expect(opened[1]?.map(String)).toEqual(texts.slice(0, 3));
    const gone = new AbortController();
    const stopped = openValues?.(sealed, gone.signal);
    gone.abort(new Error('no longer wanted'));
    await expect(stopped).rejects.toThrow('no longer wanted');
    expect((await openValues?.(sealed.slice(0, 1)))?.map(String)).toEqual(['address 0']);
    await membership.leave();
  });

  test('take turns in order of arrival, and each speaks for all', async () => {
    // Together, the two that wait would have their replies in any order.
    const grpc = { host: '127.0.0.1', port: 0, callers_per_turn: 1 };
    const startOne = () => startService({ sections: { grpc } });
    const [first, second] = await Promise.all([startOne(), startOne(), startWorker()]);
    await Promise.all([untilReady(first), untilReady(second)]);
    const hanging = server.proxy.inject({ when: isReading, fault: { kind: 'hang' } });
    const running = first.client.analyse(anna.pod.webId);
    await hanging.hit();
    const order: string[] = [];
    const waiting = second.client.analyse(ben.pod.webId);
    void waiting.then(() => order.push('ben'));
    await expect.poll(() => first.client.status(), patience).toMatchObject({ active_runs: 2 });
    const last = first.client.analyse(anna.pod.webId);
    void last.then(() => order.push('anna'));
    await expect.poll(() => second.client.status(), patience).toMatchObject({ active_runs: 3 });

    // One of hers runs and one waits, both at the other service.
    expect(await second.client.cancel(anna.pod.webId)).toMatchObject({
      status: 'CANCEL_STATUS_STOPPED',
    });
    expect(await running).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
    expect(await last).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
    const again = first.client.analyse(anna.pod.webId);
    void again.then(() => order.push('anna again'));
    await expect.poll(() => second.client.status(), patience).toMatchObject({ active_runs: 2 });
    server.proxy.heal();
    expect(await waiting).toMatchObject({ ...completed, files_read: 2 });
    const reply = await again;
    expect(reply).toMatchObject({ ...completed, files_read: 35 });
    expect(order).toEqual(['anna', 'ben', 'anna again']);
    expect(await second.client.cancel(anna.pod.webId)).toMatchObject({
      status: 'CANCEL_STATUS_NOTHING_RUNNING',
    });
    const after = {
      ready: true,
      active_runs: 0,
      last_run_id: reply['run_id'],
      last_run_at: reply['generated_at'],
    };
    await expect.poll(() => second.client.status(), patience).toMatchObject(after);
    expect(await first.client.status()).toEqual(await second.client.status());
  });

  test('read nothing more for a caller who cancels', async () => {
    const [service] = await Promise.all([startService(), startWorker()]);
    await untilReady(service);
    server.proxy.forget();
    const hanging = server.proxy.inject({ when: isReading, fault: { kind: 'hang' } });
    const running = service.client.analyse(anna.pod.webId);
    await hanging.hit();
    await service.client.cancel(anna.pod.webId);
    expect(await running).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
    // What hangs is let go of by the worker, long before its own limit of time.
    const reading = server.proxy.requests.filter(isReading);
    await expect.poll(() => reading.map(({ isBroken }) => isBroken)).not.toContain(undefined);
    server.proxy.heal();
    expect(await service.client.analyse(ben.pod.webId)).toMatchObject(completed);
  });

  test('make up for a worker that dies, and count nothing twice', async () => {
    const [service, first, second] = await Promise.all([
      startService(),
      startWorker(),
      startWorker(),
    ]);
    await untilReady(service);
    second.child.kill('SIGSTOP');
    const hanging = server.proxy.inject({ when: isReading, skip: 5, fault: { kind: 'hang' } });
    const reply = service.client.analyse(anna.pod.webId);
    await hanging.hit();
    first.child.kill('SIGKILL');
    server.proxy.heal();
    second.child.kill('SIGCONT');
    expect(await reply).toMatchObject({ ...completed, files_read: 35, observation_count: 35 });
  });

  test('go on when the one that has the turn dies', async () => {
    const [dying, other] = await Promise.all([startService(), startService(), startWorker()]);
    await Promise.all([untilReady(dying), untilReady(other)]);
    const hanging = server.proxy.inject({ when: isReading, fault: { kind: 'hang' } });
    const lost = dying.client.analyse(anna.pod.webId).then(
      () => 'answered',
      () => 'broken',
    );
    await hanging.hit();
    const waiting = other.client.analyse(ben.pod.webId);
    await expect.poll(() => other.client.status(), patience).toMatchObject({ active_runs: 2 });
    dying.child.kill('SIGKILL');
    server.proxy.heal();
    expect(await lost).toBe('broken');
    expect(await waiting).toMatchObject({ ...completed, files_read: 2 });
    expect(await other.client.analyse(anna.pod.webId)).toMatchObject({
      ...completed,
      files_read: 35,
    });
    expect((await collectOwn(analyser, anna)).pod.observation_count).toBe(35);
  });

  test('make whole what one left half published', async () => {
    const [dying, other] = await Promise.all([startService(), startService(), startWorker()]);
    await Promise.all([untilReady(dying), untilReady(other)]);
    const hanging = server.proxy.inject({
      when: ({ method, url }) => method === 'PUT' && url.includes('/bp-cohort-average'),
      fault: { kind: 'hang' },
    });
    const lost = dying.client.analyse(anna.pod.webId).catch(() => 'broken');
    await hanging.hit();
    expect(await other.client.cancel(anna.pod.webId)).toMatchObject({
      status: 'CANCEL_STATUS_NOTHING_RUNNING',
    });
    dying.child.kill('SIGKILL');
    server.proxy.heal();
    expect(await lost).toBe('broken');
    const reply = await other.client.analyse(anna.pod.webId);
    expect(reply).toMatchObject({ ...completed, files_read: 35, published: true });
    for (const collect of [collectOwn, collectCohort]) {
      const { generated_at } = await collect(analyser, anna);
      expect(generated_at).toBe(reply['generated_at']);
    }
  });

  test('let run-once take its turn among them', async () => {
    const [service] = await Promise.all([startService(), startWorker()]);
    await untilReady(service);
    const folder = await mkdtemp(joinPath(tmpdir(), 'bp-scale-'));
    await writeConfigFile(folder, analyser);
    const env = { APP_ANALYSER_REDIS_URL: redis.url };
    const { code, out } = await waitForEnd(startCommand(['run-once'], { cwd: folder, env }));
    expect(code).toBe(0);
    expect(out).toMatch(/^Pods +3 /m);
    expect(out).toMatch(/^readings +39$/m);
    expect((await collectOwn(analyser, carl)).average.systolic).toBe(140);
    await rm(folder, { recursive: true });
  });

  test('say so while Redis is away, and are ready again when it is back', async () => {
    const [service] = await Promise.all([startService(), startWorker()]);
    await untilReady(service);
    const hanging = server.proxy.inject({ when: isReading, fault: { kind: 'hang' } });
    const running = service.client.analyse(anna.pod.webId);
    await hanging.hit();
    await redis.stop();
    const away = { message: expect.stringContaining('Redis') };
    expect(await running).toMatchObject({ status: 'ANALYSE_STATUS_FAILED', ...away });
    server.proxy.heal();
    expect(await service.client.status()).toMatchObject({ ready: false, ...away });
    expect(await service.client.analyse(anna.pod.webId)).toMatchObject({
      status: 'ANALYSE_STATUS_FAILED',
      ...away,
    });
    await expect(service.client.cancel(anna.pod.webId)).rejects.toMatchObject({
      code: 14,
      details: expect.stringContaining('Redis'),
    });
    await redis.start();
    await untilReady(service);
    expect(await service.client.analyse(anna.pod.webId)).toMatchObject({
      ...completed,
      files_read: 35,
    });
  });

  test('can be started before Redis, with a Status that says what is missing', async () => {
    await redis.stop();
    const [service] = await Promise.all([startService(), startWorker()]);
    expect(await service.client.status()).toMatchObject({
      ready: false,
      message: expect.stringContaining('Redis'),
    });
    expect(await service.client.analyse(anna.pod.webId)).toMatchObject({
      status: 'ANALYSE_STATUS_FAILED',
    });
    await redis.start();
    await untilReady(service);
    expect(await service.client.analyse(ben.pod.webId)).toMatchObject(completed);
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
        message: `No worker of version ${version} is ready to read: start one with the mode worker, or look at its log.`,
      });
    await startWorker();
    await untilReady(service);
  });

  test('give nothing to a worker of another version, and say which one is needed', async () => {
    const service = await startService();
    const worker = await startWorkerHere({
      ...settingsHere(),
      version: '99.0.0',
      log: createLogger({ verbose: false, stream: { write: () => undefined } }),
    });
    server.proxy.forget();
    await expect
      .poll(() => service.client.status(), patience)
      .toMatchObject({
        ready: false,
        message: expect.stringContaining(`No worker of version ${version} is ready`),
      });
    const reply = await service.client.analyse(anna.pod.webId);
    expect(reply).toMatchObject({
      status: 'ANALYSE_STATUS_FAILED',
      message: expect.stringContaining(`No worker of version ${version} is ready`),
    });
    const isFile = ({ url }: { url: string }) => !url.endsWith('/');
    expect(server.proxy.requests.filter(isReading).filter(isFile)).toEqual([]);
    await worker.stop();
  });

  test('go on when somebody else writes to Redis', async () => {
    const [service, worker] = await Promise.all([startService(), startWorker()]);
    await untilReady(service);
    const intruder = new Redis(redis.url);
    const keys = await intruder.keys('*');
    const prefix = keys[0]?.slice(0, keys[0].indexOf('}') + 1) ?? '';
    const queues = keys.flatMap((key) => /^(.*):meta$/.exec(key)?.[1] ?? []);
    expect(queues).toContain(`${prefix}:turns`);
    for (const queue of queues) {
      for (const event of [
        'added',
        'active',
        'completed',
        'failed',
        'removed',
        'stop',
        'progress',
      ]) {
        const nothing = ['event', event, 'jobId', 'x', 'name', 'x'] as const;
        await intruder.xadd(`${queue}:events`, '*', ...nothing, 'data', '{', 'returnvalue', '{');
        await intruder.xadd(`${queue}:events`, '*', ...nothing, 'data', '7', 'returnvalue', '7');
      }
      await intruder.hset(`${queue}:nonsense`, { name: 'call', data: '"x"', opts: '{}', atm: 0 });
      await intruder.rpush(`${queue}:wait`, 'nonsense', 'without-anything');
    }
    await intruder.set(`${prefix}:last-id`, '{');
    intruder.disconnect();
    expect(await service.client.analyse(ben.pod.webId)).toMatchObject(completed);
    // A call that was made up is found out by the next look.
    const idle = { ready: true, active_runs: 0 };
    await expect.poll(() => service.client.status(), patience).toMatchObject(idle);
    expect([service.child.exitCode, worker.child.exitCode]).toEqual([null, null]);
  });

  test('ask the storage server together for no more than is allowed at once', async () => {
    const sections = { scale: { max_requests: 3 } };
    const [service] = await Promise.all([
      startService({ sections }),
      startWorker({ sections }),
      startWorker({ sections }),
    ]);
    await untilReady(service);
    server.proxy.inject({ when: isReading, fault: { kind: 'delay', ms: 50 } });
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
});
