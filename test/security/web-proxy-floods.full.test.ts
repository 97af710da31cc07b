import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Certificates } from '../grpc/certificates.js';
import { serve } from '../grpc/serve.js';
import { atEnd } from '../support/at-end.js';
import { startCommand } from '../support/child-process.js';
import { newFolder } from '../support/temp-folder.js';
import { callWeb, webCall } from '../web-proxy/web-caller.js';
import { residentMegabytes } from './grpc-attacker.js';

/** The mode in a process of its own, so that its memory can be told apart. */
const certificates = new Certificates();
atEnd(() => certificates[Symbol.dispose]());

async function startMode(grpcPort: number) {
  const { cert, key } = certificates.selfSigned('IP:127.0.0.1');
  const config = join(await newFolder(), 'config.yaml');
  const grpc = { host: '127.0.0.1', port: grpcPort, max_connections_per_peer: 0 };
  const web_proxy = { port: 0, tls_cert_file: cert, tls_key_file: key };
  await writeFile(config, stringify({ grpc, web_proxy }));
  const child = startCommand(['web-proxy'], { env: { APP_ANALYSER_CONFIG: config } });
  const gone = once(child, 'exit');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said).toContain('serving gRPC-Web on');
  const port = Number(/127\.0\.0\.1:(\d+) /.exec(said)?.[1]);
  return {
    pid: child.pid,
    port,
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

test('[T35] connections that say nothing, and requests that never end, keep nobody out', async () => {
  await using service = await serve({ grpc: { max_connections_per_peer: 0 } });
  await using victim = await startMode(service.server.port);
  const before = residentMegabytes(victim.pid);
  const sockets = Array.from({ length: 1_500 }, (_, index) => {
    const socket = connect(victim.port, '127.0.0.1').on('error', () => undefined);
    // Half a handshake, or nothing at all.
    if (index % 2 === 0) socket.write(Buffer.from([0x16, 3, 1, 2, 0]));
    return socket;
  });
  const { path, headers } = webCall('Analyse', {});
  const lines = Object.entries({ ...headers, host: 'x', 'content-length': '200000' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const options = { port: victim.port, host: '127.0.0.1', rejectUnauthorized: false };
  const slow = Array.from({ length: 300 }, () => {
    const socket = connectTls(options, () =>
      socket.write(`POST ${path} HTTP/1.1\r\n${head}\r\n${'x'.repeat(100_000)}`),
    );
    return socket.on('error', () => undefined);
  });
  for (let round = 0; round < 10; round++) {
    expect(await callWeb(victim.url, 'Status')).toMatchObject({ grpcStatus: '0' });
    await pause(100);
  }
  expect(residentMegabytes(victim.pid)).toBeLessThan(before + 300);
  for (const socket of [...sockets, ...slow]) socket.destroy();
}, 120_000);

test('[0.12] calls that are begun and taken back by the thousand leave nothing behind', async () => {
  await using service = await serve({ grpc: { max_connections_per_peer: 0 } });
  await using victim = await startMode(service.server.port);
  const webId = 'https://pods.example/x/profile/card#me';
  for (let round = 0; round < 20; round++) {
    const away = Array.from({ length: 100 }, () => new AbortController());
    const calls = away.map(({ signal }) =>
      callWeb(victim.url, 'Analyse', { webId, signal }).catch(() => 'taken back'),
    );
    // Long enough for many of the calls to reach the service.
    await pause(200);
    for (const caller of away) caller.abort();
    await Promise.all(calls);
  }
  await expect
    .poll(async () => (await callWeb(victim.url, 'Status')).reply)
    .toMatchObject({ active_runs: 0 });
}, 120_000);
