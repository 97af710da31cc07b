import { ChannelCredentials, status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { AnalyserError, ServerError } from '../../src/base/errors.js';
import { HealthClient } from '../../src/generated/grpc/health/v1/health.js';
import { alice, analyserWebId, bob, completed, ScriptedAnalyses } from './scripted-analyses.js';
import { serve } from './serve.js';

const names = ['', 'healthpod.analyser.v1.Analyser'];

function check(port: number, service: string): Promise<unknown> {
  const client = new HealthClient(`127.0.0.1:${port}`, ChannelCredentials.createInsecure());
  return new Promise((resolve) =>
    client.check({ service }, (error, reply) => {
      client.close();
      resolve(error?.code ?? reply.status);
    }),
  );
}

const refusedLogin = new ServerError('login', 'The login failed: HTTP 401', {
  url: 'https://pods.example/.oidc/token',
  status: 401,
});

/** Analyses without a connection, until they are told that there is one. */
function withoutConnection(error: unknown): { analyses: ScriptedAnalyses; repair: () => void } {
  const analyses = new ScriptedAnalyses();
  analyses.onConnect = () => Promise.reject(error);
  return {
    analyses,
    repair: () => {
      analyses.onConnect = () => Promise.resolve();
    },
  };
}

describe('a service that cannot unlock its Pod', () => {
  test('says why, and gets ready by itself once the cause is gone', async () => {
    const keys = analyserWebId.replace('profile/card#me', 'app/encryption/enc-keys.ttl');
    const { analyses, repair } = withoutConnection(
      new AnalyserError('keys', `${keys} does not exist.`),
    );
    await using service = await serve({ analyses });
    const client = service.client();
    expect(await client.status()).toMatchObject({
      ready: false,
      message: `${keys} does not exist.`,
      analyser_web_id: analyserWebId,
    });
    repair();
    await expect.poll(async () => (await client.status())['ready']).toBe(true);
    expect(await client.status()).toMatchObject({ message: '' });
    const connects = analyses.connects;
    const call = client.analyse(alice);
    (await analyses.begun(1)).finish(completed);
    await call;
    expect(analyses.connects).toBe(connects);
  });

  test('[T20] does not tell a caller whose credentials it was given', async () => {
    const { analyses } = withoutConnection(
      new AnalyserError('configuration', `The credentials belong to ${bob}.`),
    );
    await using service = await serve({ analyses });
    expect(await service.client().status()).toMatchObject({
      message: 'The credentials belong to another address.',
    });
  });

  test('[T20] tells nothing of a bug but that the log knows', async () => {
    const { analyses } = withoutConnection(new TypeError(`secret of ${bob}`));
    await using service = await serve({ analyses });
    const { message } = await service.client().status();
    expect(message).toBe('The service failed to get ready. The log of the service says why.');
  });

  test('tries again at once for an Analyse, however long the pause', async () => {
    const { analyses, repair } = withoutConnection(refusedLogin);
    await using service = await serve({ analyses, pauses: { firstMs: 60_000, longestMs: 60_000 } });
    repair();
    const call = service.client().analyse(alice);
    (await analyses.begun(1)).finish(completed);
    expect(await call).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
    expect(await service.client().status()).toMatchObject({ ready: true });
  });

  test('logs a cause that stays the same once', async () => {
    const { analyses } = withoutConnection(refusedLogin);
    await using service = await serve({ analyses });
    await expect.poll(() => analyses.connects).toBeGreaterThan(3);
    expect(service.log().match(/"level":40/g)).toHaveLength(1);
  });
});

describe('a connection that turns out to be no good', () => {
  test.each([
    ['a refused login', refusedLogin],
    ['keys that do not open', new AnalyserError('keys', 'changed')],
  ])('because of %s is dropped, and the next call has a fresh one', async (_what, error) => {
    await using service = await serve();
    const client = service.client();
    const first = client.analyse(alice);
    (await service.analyses.begun(1)).fail(error);
    expect(await first).toMatchObject({ status: 'ANALYSE_STATUS_FAILED' });
    expect(service.analyses.disconnected).toEqual(['connection 1']);
    const second = client.analyse(alice);
    const run = await service.analyses.begun(2);
    expect(run.connection).toBe('connection 2');
    run.finish(completed);
    expect(await second).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
  });

  test('is kept after a failure that says nothing about the next analysis', async () => {
    await using service = await serve();
    const client = service.client();
    const first = client.analyse(alice);
    (await service.analyses.begun(1)).fail(new AnalyserError('malformed', 'damaged'));
    await first;
    expect(await client.status()).toMatchObject({ ready: true });
    expect(service.analyses.disconnected).toEqual([]);
  });
});

describe('an analysis that fails because of', () => {
  const url = 'https://pods.example/alice/app/data/blood_pressure/x';
  test.each([
    [
      'the storage server',
      new ServerError('unreachable', `no answer from ${url}`, { url }),
      'The storage server could not be reached. Try again later.',
    ],
    [
      'the local disk',
      new AnalyserError('disk', 'var/results is full'),
      'The service could not write to its own disk. The log of the service says why.',
    ],
  ])(
    '%s makes the service not ready at once, until a try succeeds',
    async (_what, error, reason) => {
      await using service = await serve();
      const { analyses } = service;
      const client = service.client();
      const call = client.analyse(alice);
      const run = await analyses.begun(1);
      analyses.onConnect = () => Promise.reject(error);
      run.fail(error);
      expect(await call).toMatchObject({ status: 'ANALYSE_STATUS_FAILED', message: reason });
      const notReady = { ready: false, message: reason };
      expect(await client.status()).toMatchObject(notReady);
      expect(analyses.disconnected).toEqual(['connection 1']);
      await expect.poll(() => analyses.connects).toBeGreaterThan(3);
      expect(await client.status()).toMatchObject(notReady);
      analyses.onConnect = () => Promise.resolve();
      await expect.poll(() => client.status()).toMatchObject({ ready: true, message: '' });
    },
  );
});

describe('a Status long after the last sign of the storage server', () => {
  const pauses = { firstMs: 60_000, longestMs: 60_000, evidenceMs: 0 };

  test('is answered from memory, and has one look taken', async () => {
    const analyses = new ScriptedAnalyses();
    let answer = (): void => undefined;
    analyses.onProbe = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    await using service = await serve({ analyses, pauses });
    const client = service.client();
    const statuses = await Promise.all([client.status(), client.status(), client.status()]);
    for (const status of statuses) expect(status).toMatchObject({ ready: true });
    expect(analyses.probes).toBe(1);
    answer();
  });

  test('finds out that it does not answer', async () => {
    const analyses = new ScriptedAnalyses();
    const url = 'https://pods.example/';
    analyses.onProbe = () => Promise.reject(new ServerError('unreachable', 'gone', { url }));
    await using service = await serve({ analyses, pauses });
    const client = service.client();
    expect(await client.status()).toMatchObject({ ready: true });
    await expect
      .poll(() => client.status())
      .toMatchObject({
        ready: false,
        message: 'The storage server could not be reached. Try again later.',
      });
  });

  test('has one look taken for somebody who checks the health as well', async () => {
    await using service = await serve({ pauses });
    await check(service.server.port, '');
    expect(service.analyses.probes).toBe(1);
  });

  test('sends nothing while the evidence is young', async () => {
    await using service = await serve();
    await service.client().status();
    expect(service.analyses.probes).toBe(0);
  });
});

test('[0.6][0.3] a login that hangs is bounded by the timeout of the analysis, and Cancel ends it', async () => {
  const { analyses, repair } = withoutConnection(refusedLogin);
  const pauses = { firstMs: 60_000, longestMs: 60_000 };
  await using service = await serve({ analyses, pauses, grpc: { analysis_timeout_seconds: 1 } });
  analyses.onConnect = (signal) =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  const client = service.client();
  const timed = client.analyse(alice);
  const cancelled = client.analyse(bob);
  await client.cancel(bob);
  expect(await cancelled).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
  expect(await timed).toMatchObject({
    status: 'ANALYSE_STATUS_FAILED',
    message: 'The analysis took too long and was abandoned.',
  });
  repair();
});

test('the health check of gRPC follows readiness, for the server and for its service', async () => {
  const { analyses, repair } = withoutConnection(refusedLogin);
  await using service = await serve({ analyses });
  const { port } = service.server;
  for (const name of names) expect(await check(port, name)).toBe('NOT_SERVING');
  expect(await check(port, 'something.else')).toBe(status.NOT_FOUND);
  repair();
  await expect.poll(() => check(port, '')).toBe('SERVING');
  for (const name of names) expect(await check(port, name)).toBe('SERVING');
});
