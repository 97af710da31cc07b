import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { AnalyseStatus, CancelStatus } from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { Certificates } from '../grpc/certificates.js';
import { alice, analyserWebId, completed } from '../grpc/scripted-analyses.js';
import { serve } from '../grpc/serve.js';
import { passThrough } from './pass-through.js';
import { callWeb, type Method } from './web-caller.js';

const loopback = 'IP:127.0.0.1';

test.each(['in the clear', 'over TLS'])(
  '%s the three calls are answered, with the trailers as the last frame',
  async (how) => {
    using certificates = new Certificates();
    const { cert, key } = certificates.selfSigned(loopback);
    await using service = await serve();
    const tls = how === 'over TLS' ? { tls_cert_file: cert, tls_key_file: key } : {};
    await using proxy = await passThrough(service.server.port, { web_proxy: tls });
    const call = (method: Method, webId = '') => callWeb(proxy.url, method, { webId });

    const said = await call('Status');
    expect(said).toMatchObject({
      status: 200,
      reply: { ready: true, analyser_web_id: analyserWebId },
      grpcStatus: '0',
    });
    expect(said.headers['content-type']).toBe('application/grpc-web+proto');
    const first = call('Analyse', alice);
    (await service.analyses.begun(1)).finish(completed);
    expect(await first).toMatchObject({
      reply: { status: AnalyseStatus.ANALYSE_STATUS_COMPLETED, observation_count: 12 },
      grpcStatus: '0',
    });
    const second = call('Analyse', alice);
    await service.analyses.begun(2);
    expect(await call('Cancel', alice)).toMatchObject({
      reply: { status: CancelStatus.CANCEL_STATUS_STOPPED },
    });
    expect(await second).toMatchObject({
      reply: { status: AnalyseStatus.ANALYSE_STATUS_CANCELLED },
    });
    // A wrong call has no message, and its status in that frame.
    expect(await call('Analyse')).toMatchObject({
      status: 200,
      reply: null,
      grpcStatus: String(status.INVALID_ARGUMENT),
      grpcMessage: 'web_id is missing: name the WebID of the caller.',
    });
  },
);

test('[T17][T18] the token of the service is asked for, and passed on', async () => {
  await using service = await serve({ token: 'secret-token' });
  await using proxy = await passThrough(service.server.port);
  const authorization = 'Bearer secret-token';
  expect(await callWeb(proxy.url, 'Status')).toMatchObject({
    grpcStatus: '16',
    reply: null,
    refusal: 'token-rejected',
  });
  expect(await callWeb(proxy.url, 'Status', { headers: { authorization } })).toMatchObject({
    grpcStatus: '0',
    reply: { ready: true },
    refusal: undefined,
  });
  expect(proxy.log()).not.toContain('secret-token');
});

test('[0.12] a caller who goes away ends the call at the service', async () => {
  await using service = await serve();
  await using proxy = await passThrough(service.server.port);
  const away = new AbortController();
  const call = callWeb(proxy.url, 'Analyse', { webId: alice, signal: away.signal });
  const run = await service.analyses.begun(1);
  away.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => run.signal.aborted).toBe(true);
});

test('[0.12] a deadline is passed on, so the service stops as well', async () => {
  await using service = await serve();
  await using proxy = await passThrough(service.server.port);
  const call = callWeb(proxy.url, 'Analyse', {
    webId: alice,
    headers: { 'grpc-timeout': '3000m' },
  });
  const run = await service.analyses.begun(1);
  expect(await call).toMatchObject({ grpcStatus: String(status.DEADLINE_EXCEEDED) });
  await expect.poll(() => run.signal.aborted).toBe(true);
});

test('a service that is away is told as such, and found again when it is back', async () => {
  const port = await findFreePort();
  await using proxy = await passThrough(port);
  const gone = {
    status: 200,
    reply: null,
    grpcStatus: String(status.UNAVAILABLE),
    grpcMessage: 'The service does not answer; try again later.',
  };
  expect(await callWeb(proxy.url, 'Status')).toMatchObject(gone);
  expect(proxy.log()).toContain('The service gave no answer.');
  for (let round = 1; round <= 2; round++) {
    const service = await serve({ grpc: { port } });
    expect(await callWeb(proxy.url, 'Status')).toMatchObject({ grpcStatus: '0' });
    const cutOff = callWeb(proxy.url, 'Analyse', { webId: alice });
    await service.analyses.begun(1);
    await service[Symbol.asyncDispose]();
    // It was stopped, and says so or not, as its time allows.
    expect((await cutOff).status).toBe(200);
    expect(await callWeb(proxy.url, 'Status')).toMatchObject(gone);
  }
});

test('what answers there without being gRPC is no service', async () => {
  await using other = await passThrough(await findFreePort());
  await using proxy = await passThrough(other.port);
  expect(await callWeb(proxy.url, 'Status')).toMatchObject({ grpcStatus: '14' });
});

test('[T40] a service with TLS is trusted by its own file, and no other is', async () => {
  using certificates = new Certificates();
  const [own, other] = [certificates.issued('DNS:a.example'), certificates.selfSigned(loopback)];
  await using service = await serve({ grpc: { tls_cert_file: own.cert, tls_key_file: own.key } });
  const { port } = service.server;
  await using trusting = await passThrough(port, { grpc: { tls_cert_file: own.cert } });
  await using wary = await passThrough(port, { grpc: { tls_cert_file: other.cert } });
  expect(await callWeb(trusting.url, 'Status')).toMatchObject({ grpcStatus: '0' });
  expect(await callWeb(wary.url, 'Status')).toMatchObject({ grpcStatus: '14' });
});

test('more callers wait at once than one connection to the service takes', async () => {
  await using service = await serve({
    grpc: { max_queued: 1000, trusted_proxies: ['127.0.0.1'] },
  });
  await using proxy = await passThrough(service.server.port, {
    grpc: { max_connections_per_peer: 0 },
  });
  const waiting = Array.from({ length: 230 }, () =>
    callWeb(proxy.url, 'Analyse', { webId: alice }),
  );
  await expect
    .poll(async () => (await callWeb(proxy.url, 'Status')).reply)
    .toMatchObject({ active_runs: 230 });
  expect(await callWeb(proxy.url, 'Cancel', { webId: alice })).toMatchObject({
    reply: { status: CancelStatus.CANCEL_STATUS_STOPPED },
  });
  const statuses = (await Promise.all(waiting)).map(({ grpcStatus }) => grpcStatus);
  expect(statuses).toEqual(Array.from({ length: 230 }, () => '0'));
});
