import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { expect, test } from 'vitest';
import { Certificates } from '../grpc/certificates.js';
import { alice, bob } from '../grpc/scripted-analyses.js';
import { serve } from '../grpc/serve.js';
import { holdTimers } from '../support/held-timers.js';
import { passThrough } from './pass-through.js';
import { callWeb, send, webCall } from './web-caller.js';

const origin = 'https://app.example.org';
const status = '/healthpod.analyser.v1.Analyser/Status';

test('a page of a listed origin may call, with the headers that clients send', async () => {
  await using service = await serve();
  await using proxy = await passThrough(service.server.port, { web_proxy: { origins: [origin] } });
  const asked = await send(`${proxy.url}${status}`, 'OPTIONS', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-grpc-web,x-user-agent,grpc-timeout',
    },
  });
  expect(asked).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': origin } });
  expect(String(asked.headers['access-control-allow-headers']).split(', ')).toEqual(
    expect.arrayContaining([
      'content-type',
      'x-grpc-web',
      'x-user-agent',
      'grpc-timeout',
      'authorization',
      'x-solid-authorization',
      'x-solid-dpop',
    ]),
  );
  const said = await callWeb(proxy.url, 'Status', { headers: { origin } });
  expect(said).toMatchObject({
    grpcStatus: '0',
    headers: {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'grpc-status, grpc-message',
      vary: 'Origin',
    },
  });
});

test.each([
  'https://app.example.org.evil.example',
  'http://app.example.org',
  'https://app.example.org:8443',
  'https://APP.example.org',
  'null',
])('[T29] a page of %s may not, not even without asking before', async (foreign) => {
  await using service = await serve();
  await using proxy = await passThrough(service.server.port, { web_proxy: { origins: [origin] } });
  for (const answer of [
    await send(`${proxy.url}${status}`, 'OPTIONS', { headers: { origin: foreign } }),
    await callWeb(proxy.url, 'Analyse', { webId: alice, headers: { origin: foreign } }),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  }
  expect(service.analyses.runs).toEqual([]);
});

test.each([
  ['another service of the port', 'POST', '/grpc.health.v1.Health/Check', 'grpc-web', 404],
  ['a path with a query', 'POST', `${status}?x`, 'grpc-web', 404],
  ['a spelling of a path', 'POST', '/healthpod.analyser.v1.Analyser/../x', 'grpc-web', 404],
  ['another method', 'GET', status, 'grpc-web', 405],
  ['gRPC itself', 'POST', status, 'grpc', 415],
  ['another encoding', 'POST', status, 'grpc-web+json', 415],
  ['the form for streams', 'POST', status, 'grpc-web-text', 415],
  ['a form', 'POST', status, 'x-www-form-urlencoded', 415],
])('%s does not get through', async (_what, method, path, type, answered) => {
  await using service = await serve();
  await using proxy = await passThrough(service.server.port);
  const { body } = webCall('Status', {});
  const headers = { 'content-type': `application/${type}` };
  const sent = method === 'POST' ? { headers, body } : { headers };
  const answer = await send(`${proxy.url}${path}`, method, sent);
  expect(answer.status).toBe(answered);
});

test('[T35] requests larger than any call, and connections without one, are cut short', async () => {
  using certificates = new Certificates();
  const { cert, key } = certificates.selfSigned('IP:127.0.0.1');
  await using service = await serve();
  const { port } = service.server;
  const tls = { tls_cert_file: cert, tls_key_file: key };
  const pass = holdTimers('setTimeout');
  await using plain = await passThrough(port);
  await using secure = await passThrough(port, { web_proxy: tls });
  const { path, headers } = webCall('Status', {});
  const large = Buffer.alloc(400_000);
  for (const { url } of [plain, secure]) {
    expect(await send(`${url}${path}`, 'POST', { headers, body: large })).toMatchObject({
      status: 413,
    });
  }

  const silent = connectTcp(plain.port, '127.0.0.1').resume();
  const closed = once(silent, 'close');
  await once(silent, 'connect');
  await pass(0);
  await pass(10_000);
  await closed;
  for (const { url } of [plain, secure]) {
    expect(await callWeb(url, 'Status')).toMatchObject({ grpcStatus: '0' });
  }
});

test('[T35] requests that never end give way to others', async () => {
  await using service = await serve();
  await using proxy = await passThrough(service.server.port, { grpc: { max_queued: 1 } });
  const { path, headers } = webCall('Status', {});
  const endless = { ...headers, 'content-length': '1000' };
  const body = Buffer.from('x');
  // One more than may be open at once.
  const calls = Array.from({ length: 102 }, () =>
    send(`${proxy.url}${path}`, 'POST', { headers: endless, body }).catch(() => 'cut'),
  );
  expect(await Promise.race(calls)).toBe('cut');
  expect(await callWeb(proxy.url, 'Status')).toMatchObject({ grpcStatus: '0' });
});

test('[0.12] a connection has one call at a time: who sends the next before the answer is cut off', async () => {
  await using service = await serve();
  await using proxy = await passThrough(service.server.port);
  const { path, headers, body } = webCall('Analyse', { webId: alice });
  const lines = Object.entries({ ...headers, host: 'x', 'content-length': `${body.length}` });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const call = Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${head}\r\n`), body]);
  const socket = connectTcp(proxy.port, '127.0.0.1').resume();
  const closed = new Promise((resolve) => socket.on('error', resolve).once('close', resolve));
  socket.write(call);
  const run = await service.analyses.begun(1);
  socket.write(call);
  await closed;
  await expect.poll(() => run.signal.aborted).toBe(true);
  expect(service.analyses.runs).toHaveLength(1);
});

test('headers larger than those of any call are refused', async () => {
  await using service = await serve();
  await using proxy = await passThrough(service.server.port);
  const much = (bytes: number) => ({ headers: { 'x-much': 'much'.repeat(bytes / 4) } });
  expect(await callWeb(proxy.url, 'Status', much(7_600))).toMatchObject({ grpcStatus: '0' });
  expect(await callWeb(proxy.url, 'Status', much(9_200))).toMatchObject({ status: 431 });
  expect(await callWeb(proxy.url, 'Status')).toMatchObject({ grpcStatus: '0' });
});

const carol = 'https://pods.example/carol/profile/card#me';
const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9' };

const crowded = { message: 'There are too many analyses waiting; try again later.' };
/** One of two calls waits. With a third, the newest waiting call of the address with most calls gives way. */
const full = { max_queued: 1 };

test('[T16] who calls is who is connected, whatever the call says, for a service that trusts the proxy', async () => {
  await using service = await serve({ grpc: { ...full, trusted_proxies: ['127.0.0.1'] } });
  await using proxy = await passThrough(service.server.port);
  const call = (webId: string, localAddress: string) =>
    callWeb(proxy.url, 'Analyse', { webId, localAddress, headers: forged });
  const first = call(alice, '127.0.0.2');
  await service.analyses.begun(1);
  const second = call(bob, '127.0.0.2');
  await expect
    .poll(async () => (await callWeb(proxy.url, 'Status')).reply)
    .toMatchObject({ active_runs: 2 });
  const other = call(carol, '127.0.0.3');
  expect(await second).toMatchObject({ reply: crowded });
  for (const webId of [alice, carol]) await callWeb(proxy.url, 'Cancel', { webId });
  await Promise.all([first, other]);
});

test('[T16] a proxy in front of it that is trusted says who calls', async () => {
  const trusted = { trusted_proxies: ['127.0.0.1'] };
  await using service = await serve({ grpc: { ...full, ...trusted } });
  await using proxy = await passThrough(service.server.port, { grpc: trusted });
  const call = (webId: string, from: string) =>
    callWeb(proxy.url, 'Analyse', { webId, headers: { 'x-forwarded-for': from } });
  const first = call(alice, '203.0.113.9, 198.51.100.7');
  await service.analyses.begun(1);
  const second = call(bob, '203.0.113.10, 198.51.100.7');
  await expect
    .poll(async () => (await callWeb(proxy.url, 'Status')).reply)
    .toMatchObject({ active_runs: 2 });
  const other = call(carol, '203.0.113.9, 198.51.100.8');
  expect(await second).toMatchObject({ reply: crowded });
  for (const webId of [alice, carol]) await callWeb(proxy.url, 'Cancel', { webId });
  await Promise.all([first, other]);
});
