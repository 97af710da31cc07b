import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { callStatus } from '../../src/client/calls.js';
import { dial } from '../../src/client/dial.js';
import { examineCertificate } from '../../src/ports/certificate-files.js';
import { Certificates } from './certificates.js';
import { serve } from './serve.js';

const loopback = 'IP:127.0.0.1';
const day = 24 * 3600 * 1000;

async function askStatus(port: number, certificateFile: string | null): Promise<boolean> {
  const connection = dial({ host: '127.0.0.1', port, certificateFile, token: null });
  try {
    return (await callStatus(connection)).ready;
  } finally {
    connection.close();
  }
}

/** The certificate that the port shows at this moment. */
function shownAt(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] };
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

const fingerprint = (file: string) => new X509Certificate(readFileSync(file)).fingerprint256;

test('[T40] a self-signed certificate is trusted from its file, and nothing else is', async () => {
  using certificates = new Certificates();
  const own = certificates.selfSigned(loopback);
  const other = certificates.selfSigned(loopback);
  await using service = await serve({ grpc: { tls_cert_file: own.cert, tls_key_file: own.key } });
  const { port } = service.server;
  expect(service.log()).toContain(`serving gRPC on 127.0.0.1:${port} (TLS, no token)`);
  expect(await askStatus(port, own.cert)).toBe(true);
  await expect(askStatus(port, other.cert)).rejects.toThrow(/could not be reached: .*certificate/);
  await expect(askStatus(port, null)).rejects.toThrow(/^The service at \S+ could not be reached: /);
});

const isReadyAt = `
  import { callStatus } from './src/client/calls.js';
  import { dial } from './src/client/dial.js';
  const [host, port] = process.argv.slice(1);
  const connection = dial({ host, port: Number(port), certificateFile: null, tls: true, token: null });
  try {
    console.log((await callStatus(connection)).ready);
  } catch (error) {
    console.log(error.message);
  } finally {
    connection.close();
  }
`;

test('a certificate of a usual authority is taken for its own address or name only', async () => {
  using certificates = new Certificates();
  const { cert, key } = certificates.selfSigned(`${loopback},DNS:localhost`);
  const other = certificates.selfSigned('DNS:localhost');
  const files = [{ cert, key }, other];
  const answers = await Promise.all(
    files.map(async (own) => {
      await using service = await serve({
        grpc: { tls_cert_file: own.cert, tls_key_file: own.key },
      });
      const ask = async (host: string) => {
        const args = ['--import', 'tsx', '--input-type=module', '--eval', isReadyAt];
        const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: own.cert };
        const asked = [...args, host, String(service.server.port)];
        return (await promisify(execFile)(process.execPath, asked, { env })).stdout.trim();
      };
      return [await ask('127.0.0.1'), await ask('localhost')];
    }),
  );
  const [both, nameOnly] = answers;
  expect(both).toEqual(['true', 'true']);
  expect(nameOnly).toEqual([
    expect.stringMatching(
      /^The service at 127\.0\.0\.1:\d+ could not be reached: .*127\.0\.0\.1 is not in the cert's list/,
    ),
    'true',
  ]);
});

test('a certificate of an unknown authority, for another name, is trusted from its file', async () => {
  using certificates = new Certificates();
  const { cert, key } = certificates.issued('DNS:analyser.example');
  await using service = await serve({ grpc: { tls_cert_file: cert, tls_key_file: key } });
  expect(await askStatus(service.server.port, cert)).toBe(true);
});

test('dialling TLS where the service speaks plaintext says so', async () => {
  using certificates = new Certificates();
  await using service = await serve();
  await expect(
    askStatus(service.server.port, certificates.selfSigned(loopback).cert),
  ).rejects.toThrow(/^The service at \S+ could not be reached: it does not speak TLS\.$/);
});

/** Stops the clock and the looks at the files; returns a function that has them looked at once more. */
function stopClock(now = new Date()) {
  vi.useFakeTimers({ now, toFake: ['setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => void vi.advanceTimersByTime(10_000);
}

test('renewed files are picked up without a restart, half written ones are not', async () => {
  using certificates = new Certificates();
  const [old, renewed] = [certificates.selfSigned(loopback), certificates.selfSigned(loopback)];
  const [first, second] = [fingerprint(old.cert), fingerprint(renewed.cert)];
  const look = stopClock();
  await using service = await serve({ grpc: { tls_cert_file: old.cert, tls_key_file: old.key } });
  const { port } = service.server;
  expect(await shownAt(port)).toBe(first);

  // The certificate without its key: the pair in use stays.
  copyFileSync(renewed.cert, old.cert);
  look();
  await expect.poll(() => service.log()).toContain('The certificate read before stays in use.');
  expect(await shownAt(port)).toBe(first);

  copyFileSync(renewed.key, old.key);
  look();
  await expect.poll(() => service.log()).toContain('The renewed TLS certificate is in use.');
  expect(await shownAt(port)).toBe(second);
  expect(await askStatus(port, old.cert)).toBe(true);
});

test('files that are no pair end the start with one sentence', async () => {
  using certificates = new Certificates();
  const [one, other] = [certificates.selfSigned(loopback), certificates.selfSigned(loopback)];
  const start = (cert: string | null, key: string | null) =>
    serve({ grpc: { tls_cert_file: cert, tls_key_file: key } });
  const text = `${one.cert}.txt`;
  writeFileSync(text, 'not a certificate');
  for (const [cert, key] of [
    [one.cert, other.key],
    [text, one.key],
    [one.cert, text],
  ] as const) {
    await expect(start(cert, key)).rejects.toMatchObject({
      kind: 'configuration',
      message: `grpc.tls_cert_file ${cert} and grpc.tls_key_file ${key} are not a PEM certificate and its key.`,
    });
  }
  await expect(start('/nowhere.pem', one.key)).rejects.toThrow(/\/nowhere\.pem cannot be read/);
  await expect(start(one.cert, null)).rejects.toThrow(/a PEM file, because tls_cert_file is set/);
});

test('a certificate that ends is told once, and so is the one after it', async () => {
  using certificates = new Certificates();
  const { cert, key } = certificates.selfSigned(loopback, 20);
  const next = certificates.selfSigned(loopback, 30);
  const ends = new Date(new X509Certificate(readFileSync(cert)).validTo).getTime();
  const look = stopClock(new Date(ends - 15 * day));
  await using service = await serve({ grpc: { tls_cert_file: cert, tls_key_file: key } });
  const told = () => service.log().match(/The certificate [^"]* ends on [^"]*Z/g);
  const lookAt = async (time: number) => {
    vi.setSystemTime(time);
    look();
    await new Promise((resolve) => setTimeout(resolve, 100));
  };
  await lookAt(ends - 14.5 * day);
  expect(told()).toBeNull();
  await lookAt(ends - 13.5 * day);
  await expect.poll(() => told()?.length).toBe(1);
  expect(told()?.[0]).toBe(`The certificate ${cert} ends on ${new Date(ends).toISOString()}`);
  await lookAt(ends + day);
  expect(told()).toHaveLength(1);
  copyFileSync(next.key, key);
  copyFileSync(next.cert, cert);
  await lookAt(ends + day);
  await expect.poll(() => told()?.length).toBe(2);
});

test('what check says of a certificate: nothing, that it ends within fourteen days, or that it is over', async () => {
  using certificates = new Certificates();
  const { cert, key } = certificates.selfSigned(loopback, 20);
  const files = { section: 'grpc', tls_cert_file: cert, tls_key_file: key } as const;
  const ends = new Date(new X509Certificate(readFileSync(cert)).validTo).getTime();
  const message = expect.stringContaining(`${cert} ends on ${new Date(ends).toISOString()}`);
  const at = (time: number) => examineCertificate(files, new Date(time));
  expect(await at(ends - 14 * day)).toBeNull();
  expect(await at(ends - 14 * day + 1)).toEqual({ isOver: false, message });
  expect(await at(ends)).toEqual({ isOver: true, message });
});
