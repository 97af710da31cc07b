import { once } from 'node:events';
import { constants } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { callAnalyse } from '../../src/client/calls.js';
import { dial } from '../../src/client/dial.js';
import { AnalyseStatus } from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { Certificates } from '../grpc/certificates.js';
import { alice, bob, completed } from '../grpc/scripted-analyses.js';
import { type Service, serve } from '../grpc/serve.js';
import { holdTimers } from '../support/held-timers.js';
import { GrpcAttacker } from './grpc-attacker.js';
import { HpackBomb } from './hpack-bomb.js';

const statusPath = '/healthpod.analyser.v1.Analyser/Status';

async function statusOf(service: Service): Promise<unknown> {
  return await service.client().call('Status', {}, { deadline: Date.now() + 5_000 });
}

test('[T35] a thousand silent connections of one address keep nobody out', async () => {
  await using service = await serve();
  using attacker = new GrpcAttacker(service.server.port);
  const sockets = Array.from({ length: 1000 }, () => attacker.silentSocket());
  await Promise.all(
    sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
  );
  expect(await statusOf(service)).toMatchObject({ ready: true });
  // All but those that one address may have, of which the caller above took one.
  await expect.poll(() => sockets.filter((socket) => !socket.closed).length).toBe(199);
});

test('[T35] a connection without a call is closed, also one whose TLS handshake never ends', async () => {
  using certificates = new Certificates();
  const { cert, key } = certificates.selfSigned('IP:127.0.0.1');
  const pass = holdTimers('setTimeout');
  await using service = await serve({ grpc: { tls_cert_file: cert, tls_key_file: key } });
  const { port } = service.server;
  const connection = dial({ host: '127.0.0.1', port, certificateFile: cert, token: null });
  const asked = callAnalyse(connection, alice, 0);
  const run = await service.analyses.begun(1);

  using attacker = new GrpcAttacker(port);
  const silent = attacker.silentSocket();
  const slow = attacker.silentSocket();
  // The beginning of a ClientHello of 512 bytes.
  slow.write(Buffer.from([0x16, 3, 1, 2, 0, 1]));
  const closed = Promise.all([once(silent, 'close'), once(slow, 'close')]);
  await Promise.all([once(silent, 'connect'), once(slow, 'connect')]);
  await pass(0);
  await pass(9_000);
  expect([silent.closed, slow.closed]).toEqual([false, false]);
  await pass(1_500);
  await closed;

  run.finish(completed);
  expect(await asked).toMatchObject({ status: AnalyseStatus.ANALYSE_STATUS_COMPLETED });
  connection.close();
});

test('[T35] one address has so many connections at work and no more; others get in', async () => {
  await using service = await serve({ grpc: { max_connections_per_peer: 2 } });
  const inHand = [service.client().analyse(alice), service.client().analyse(bob)];
  await expect.poll(() => service.log().match(/"Analyse\."/g)?.length).toBe(2);
  await expect(statusOf(service)).rejects.toThrow();
  using neighbour = new GrpcAttacker(service.server.port);
  const socket = neighbour.silentSocket('127.0.0.2');
  await once(socket, 'connect');
  await pause(100);
  expect(socket.closed).toBe(false);
  for (const run of [1, 2]) (await service.analyses.begun(run)).finish(completed);
  for (const reply of await Promise.all(inHand)) {
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
  }
});

test.each([70_000, 200_000])('metadata of %i bytes is answered at once', async (size) => {
  await using service = await serve();
  const client = service.client();
  using attacker = new GrpcAttacker(service.server.port);
  const session = attacker.session();
  const call = attacker.openCall(session, { 'x-much': 'much'.padEnd(size, 'x') }, statusPath);
  const asked = performance.now();
  await new Promise((resolve) => call.once('close', resolve));
  expect(call.rstCode).toBeGreaterThan(0);
  expect(performance.now() - asked).toBeLessThan(5_000);
  const deadline = Date.now() + 30_000;
  const own = client.call('Status', {}, { deadline }, { 'x-much': 'much'.padEnd(size, 'x') });
  await expect(own).rejects.toThrow(/RESOURCE_EXHAUSTED|RST_STREAM/);
  expect(await client.status()).toMatchObject({ ready: true });
});

test('a value that the library would take apart counts as its parts; other calls of the connection go on', async () => {
  await using service = await serve();
  using attacker = new GrpcAttacker(service.server.port);
  const session = attacker.session();
  // By then it has acknowledged what the service asks for, as a proxy for many callers has.
  await new Promise((resolve) => session.once('connect', () => session.ping(resolve)));
  const other = attacker.openCall(session, {}, statusPath);
  const call = attacker.openCall(session, { 'x-bin': ','.repeat(300) }, statusPath);
  await new Promise((resolve) => call.once('close', resolve));
  expect(call.rstCode).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  other.end(Buffer.alloc(5));
  await once(other, 'end');
  expect(other.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
  const few = attacker.openCall(session, { 'x-bin': 'AA==,AA==' }, statusPath);
  few.end(Buffer.alloc(5));
  await once(few, 'end');
  expect(few.rstCode).toBe(constants.NGHTTP2_NO_ERROR);
});

test('[T18] what a caller sends as metadata is not logged, however wrong it is', async () => {
  await using service = await serve({ token: 'secret of the operator' });
  using attacker = new GrpcAttacker(service.server.port);
  const call = attacker.openCall(attacker.session(), {
    authorization: 'Bearer secret of the operator, mistyped é',
    'x-solid-dpop': 'secret of a caller é',
  });
  call.end(Buffer.alloc(5));
  const [trailers] = await once(call, 'response');
  expect(trailers).toMatchObject({ 'grpc-status': `${status.UNAUTHENTICATED}` });
  expect(service.log()).not.toContain('secret');
});

test('calls for what is no WebID are logged once a minute, with their number', async () => {
  await using service = await serve();
  const client = service.client();
  const calls = Array.from({ length: 100 }, () => client.analyse('no WebID'));
  for (const reply of await Promise.all(calls)) {
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_FAILED' });
  }
  expect(service.log().match(/"A call was refused."/g)).toHaveLength(1);
});

test('[T35] a caller that has not acknowledged the bounds and goes beyond them is not listened to any more', async () => {
  await using service = await serve();
  using bomb = new HpackBomb(service.server.port);
  bomb.call(2);
  await bomb.closed;
  expect(await statusOf(service)).toMatchObject({ ready: true });
});

test('[T35] calls that are never finished give way to others, on any connection; one that waits stays', async () => {
  await using service = await serve({ grpc: { max_queued: 50 } });
  const client = service.client();
  const asked = client.analyse(alice);
  const run = await service.analyses.begun(1);
  using attacker = new GrpcAttacker(service.server.port);
  for (let connection = 0; connection < 20; connection++) {
    const session = attacker.session();
    await once(session, 'connect');
    for (let call = 0; call < 100 && !session.destroyed; call++) attacker.openCall(session);
    expect(await statusOf(service)).toMatchObject({ ready: true, active_runs: 1 });
  }
  run.finish(completed);
  expect(await asked).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
});
