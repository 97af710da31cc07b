import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Certificates } from '../grpc/certificates.js';
import { PlainClient } from '../grpc/plain-client.js';
import { createContributor, weekly } from '../support/contributor.js';
import { type ProxiedServer, startProxiedServer } from '../support/fault-proxy.js';
import { createInitialisedPod, type InitialisedPod } from '../support/initialised-pod.js';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.js';
import { type Process, startProcess } from './processes.js';

const certificates = new Certificates();
let server: ProxiedServer;
let redis: RedisServer;
let analyser: InitialisedPod;
let anna: InitialisedPod;
let trusting: NodeJS.ProcessEnv;
const started: Process[] = [];

async function start(mode: 'grpc' | 'worker', redisUrl: string, env: NodeJS.ProcessEnv) {
  const one = await startProcess(mode, analyser, { redisUrl, env });
  started.push(one);
  return one;
}

async function startService(redisUrl: string, env: NodeJS.ProcessEnv): Promise<PlainClient> {
  const service = await start('grpc', redisUrl, env);
  const [, port] = await service.said(/serving gRPC on 127\.0\.0\.1:(\d+)/);
  return new PlainClient(Number(port));
}

/** Redis with a password and a certificate, for the processes of an operator. */
describe.runIf(hasRedis)('Redis over TLS', { timeout: 180_000 }, () => {
  beforeAll(async () => {
    const certificate = certificates.selfSigned('DNS:localhost');
    trusting = { NODE_EXTRA_CA_CERTS: certificate.cert };
    [redis, server] = await Promise.all([startRedis(certificate), startProxiedServer()]);
    analyser = await createInitialisedPod(server);
    anna = await createContributor(server, analyser, weekly([110, 70, 50], [112, 75, null]));
  }, 180_000);
  afterAll(async () => {
    await Promise.all(started.map((one) => one.kill()));
    certificates[Symbol.dispose]();
  });

  test('is used by those who trust its certificate and know its password', async () => {
    const client = await startService(redis.url, trusting);
    await start('worker', redis.url, trusting);
    await expect.poll(() => client.status(), { timeout: 60_000 }).toMatchObject({ ready: true });
    expect(await client.analyse(anna.pod.webId)).toMatchObject({
      status: 'ANALYSE_STATUS_COMPLETED',
      files_read: 2,
    });
  });

  test.each([
    { what: 'certificate', env: () => ({}), url: () => redis.url, why: /self-signed certificate/ },
    {
      what: 'password',
      env: () => trusting,
      url: () => redis.url.replace(redis.password, 'another'),
      why: /WRONGPASS/,
    },
  ])('is not used with a wrong $what, which the log names', async ({ env, url, why }) => {
    const service = await start('grpc', url(), env());
    const [line] = await service.said(why);
    expect(line).toMatch(why);
    const [, port] = await service.said(/serving gRPC on 127\.0\.0\.1:(\d+)/);
    const client = new PlainClient(Number(port));
    // Where it has not tried yet, it says that it is logging in.
    const told = { ready: false, message: expect.stringContaining('Redis') };
    await expect.poll(() => client.status()).toMatchObject(told);
  });
});
