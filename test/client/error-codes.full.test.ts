import { expect, onTestFinished, test } from 'vitest';
import {
  addReadings,
  ClientError,
  callStatus,
  dial,
  initialiseOwnPod,
  listReadings,
  type OwnPodSettings,
  obtainCredentials,
  openOwnPod,
  parseNewReading,
  readReadings,
  revokeReadings,
} from '../../src/client/client.js';
import { atEnd } from '../support/at-end.js';
import { createPod, sharedSolidServer } from '../support/solid-server.js';

const server = sharedSolidServer();
const settings = await createSettings();
await (await initialiseOwnPod(settings)).close();

async function createSettings(): Promise<OwnPodSettings> {
  const { email, password, webId } = await createPod(server);
  const credentials = await obtainCredentials(server.baseUrl, { email, password }, webId);
  return { webId, securityKey: 'a long sentence', credentials };
}

const reading = parseNewReading({
  timestamp: '2026-01-05T08:00:00',
  systolic: '120',
  diastolic: '80',
});

async function codeOf(failing: Promise<unknown>): Promise<string> {
  const error = await failing.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof ClientError) return error.code;
  throw new Error(`No ClientError: ${String(error)}`);
}

const open = async () => {
  const own = await openOwnPod(settings);
  atEnd(() => own.close());
  return own;
};

test('[1.1] a Pod without keys, then with them, then with another security key', async () => {
  const settings = await createSettings();
  expect(await codeOf(openOwnPod(settings))).toBe('not-initialised');
  const own = await initialiseOwnPod(settings);
  atEnd(() => own.close());
  expect(await codeOf(initialiseOwnPod(settings))).toBe('already-initialised');
  expect(await codeOf(openOwnPod({ ...settings, securityKey: 'another' }))).toBe(
    'wrong-security-key',
  );
});

test('an abort is one kind everywhere, before and during the work', async () => {
  const own = await open();
  const before = AbortSignal.abort();
  const connection = dial({ host: '127.0.0.1', port: 9, certificateFile: null, token: null });
  onTestFinished(() => connection.close());
  expect(await codeOf(openOwnPod(settings, before))).toBe('aborted');
  expect(await codeOf(listReadings(own, before))).toBe('aborted');
  expect(await codeOf(addReadings(own, [reading], { signal: before }))).toBe('aborted');
  expect(await codeOf(callStatus(connection, { signal: before }))).toBe('aborted');
  expect(await readReadings(own)).toEqual([]);

  const during = new AbortController();
  const { signal } = during;
  // The second calls others in turn.
  const working = [
    addReadings(own, [reading], { signal }),
    revokeReadings(own, settings.webId, { signal }),
  ];
  during.abort();
  expect(await Promise.all(working.map(codeOf))).toEqual(['aborted', 'aborted']);
});

test('what the app has closed itself says so', async () => {
  const own = await openOwnPod(settings);
  await own.close();
  expect(await codeOf(listReadings(own))).toBe('closed');
  const connection = dial({ host: '127.0.0.1', port: 9, certificateFile: null, token: null });
  connection.close();
  expect(await codeOf(callStatus(connection))).toBe('closed');
});

test('a login that the server refuses, and a server that is away', async () => {
  const credentials = { ...settings.credentials, clientSecret: 'another' };
  expect(await codeOf(openOwnPod({ ...settings, credentials }))).toBe('credentials-rejected');
  const { email, webId } = await createPod(server);
  const login = { email, password: 'another' };
  expect(await codeOf(obtainCredentials(server.baseUrl, login, webId))).toBe(
    'credentials-rejected',
  );
  const away = 'http://127.0.0.1:9/';
  expect(await codeOf(obtainCredentials(away, login, webId))).toBe('server-unreachable');
});

test('what the app has passed wrongly is named', async () => {
  const own = await open();
  const fieldOf = async (failing: Promise<unknown>) => {
    const error = await failing.catch((reason: unknown) => reason);
    return error instanceof ClientError && error.code === 'invalid-input' ? error.field : error;
  };
  expect(await fieldOf(openOwnPod({ ...settings, webId: 'alice' }))).toBe('webId');
  expect(await fieldOf(openOwnPod({ ...settings, serverUrl: 'pods' }))).toBe('serverUrl');
  expect(await fieldOf(revokeReadings(own, 'the analyser'))).toBe('recipientWebId');
  expect(await fieldOf(addReadings(own, [reading, { ...reading, heartRate: -1 }]))).toBe(
    'heartRate',
  );
  expect(await fieldOf(addReadings(own, [{ ...reading, timestamp: 'today' }]))).toBe('timestamp');
  expect(await listReadings(own)).toEqual([]);
});
