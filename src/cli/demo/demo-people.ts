import { join } from 'node:path';
import { stringify } from 'yaml';
import { DAY_MS } from '../../base/utc-time.js';
import type { NewReading } from '../../client/new-reading.js';
import { initialiseOwnPod } from '../../client/open-own-pod.js';
import type { Analyser } from '../../client/run-analysis.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
} from '../../solid/css-account.js';
import { writeFileAtomically } from '../../store/files.js';
import { makeUpSecret } from '../new-security-key.js';

interface DemoPerson {
  name: string;
  /** [systolic, diastolic, heart rate] at the start of the year. */
  start: [number, number, number];
  trend: number;
}

export const demoPeople: readonly DemoPerson[] = [
  { name: 'alice', start: [141, 90, 76], trend: -12 },
  { name: 'bob', start: [121, 77, 68], trend: 3 },
  { name: 'carla', start: [117, 74, 61], trend: 0 },
  { name: 'david', start: [142, 91, 77], trend: -6 },
  { name: 'emma', start: [112, 71, 65], trend: 4 },
  { name: 'farid', start: [129, 83, 70], trend: 8 },
];

export async function preparePerson(
  { name }: DemoPerson,
  { serverUrl, folder, analyser }: { serverUrl: string; folder: string; analyser: Analyser },
  signal: AbortSignal,
) {
  const login = { email: `${name}@demo.example`, password: makeUpSecret() };
  const account = await createAccount(serverUrl, login, signal);
  const { webId } = await createAccountPod(account, name);
  const { clientId, clientSecret } = await issueClientCredentials(account, { name: 'demo', webId });
  const securityKey = `the security key of ${name}`;
  const { host, port } = analyser.service;
  const settingsFile = join(folder, `${name}.yaml`);
  const settings = {
    web_id: webId,
    security_key: securityKey,
    credentials: { client_id: clientId, client_secret: clientSecret },
    analyser: { web_id: analyser.analyserWebId },
    grpc: { host, port },
  };
  await writeFileAtomically(settingsFile, stringify(settings), 0o600);
  const credentials = { clientId, clientSecret };
  return {
    settingsFile,
    ownPod: await initialiseOwnPod({ webId, securityKey, credentials }, signal),
  };
}

/** How much readings at rest differ, as a part of how much others do. */
const AT_REST = 0.3;

/**
 * A reading in each of 51 weeks, and then a week with a reading every morning and evening, which makes a home average:
 * at rest, so they differ less. The last is from the evening before `now`. Seeded with the name, so that every demo has
 * the same figures.
 */
export function demoReadings({ name, start, trend }: DemoPerson, now: Date): NewReading[] {
  const [systolic, diastolic, heartRate] = start;
  const random = createRandom(name);
  const lastDay = Math.floor(now.getTime() / DAY_MS) - 1;
  const reading = (daysBefore: number, hour: number, spread: number): NewReading => {
    // Nearly always less than twice `by`.
    const differ = (by: number) =>
      spread * by * (random() + random() + random() + random() - 2) * Math.sqrt(3);
    const part = 1 - daysBefore / (51 * 7);
    // Blood pressure is a little higher in the cold half of a year.
    const shift = trend * part + 3 * Math.cos(2 * Math.PI * part) + differ(4);
    const time = (lastDay - daysBefore) * DAY_MS + Math.floor(60 * hour + 90 * random()) * 60_000;
    return {
      timestamp: new Date(time).toISOString().slice(0, -1),
      systolic: Math.round(systolic + shift + differ(2)),
      diastolic: Math.round(diastolic + shift / 2 + differ(2)),
      heartRate: Math.round(heartRate + differ(4)),
      notes: '',
    };
  };
  const weeks = Array.from({ length: 51 }, (_, week) => reading(7 * (51 - week), 7, 1));
  const days = Array.from({ length: 7 }, (_, day) => [
    reading(6 - day, 7, AT_REST),
    reading(6 - day, 19, AT_REST),
  ]);
  return [...weeks, ...days.flat()];
}

/** The generator mulberry32, seeded with a name. */
function createRandom(name: string): () => number {
  let state = Buffer.from(name).reduce((sum, byte) => (sum * 31 + byte) | 0, 7);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
