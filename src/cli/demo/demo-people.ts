import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { DAY_MS } from '../../base/utc-time.js';
import { addReadings } from '../../client/add-readings.js';
import type { NewReading } from '../../client/new-reading.js';
import { initialiseOwnPod } from '../../client/open-own-pod.js';
import type { Analyser } from '../../client/run-analysis.js';
import {
  createAccount,
  createAccountPod,
  issueClientCredentials,
} from '../../solid/css-account.js';
import { writeFileAtomically } from '../../store/atomic-file.js';

/** One of six people with a year of readings, seeded so that every demo has the same figures. */
interface DemoPerson {
  name: string;
  /** [systolic, diastolic, heart rate] at the start of the year. */
  start: [number, number, number];
  /** How much the systolic value changes over the year. */
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

export type PreparedPerson = Awaited<ReturnType<typeof preparePerson>>;

interface DemoPlace {
  serverUrl: string;
  folder: string;
  analyser: Analyser;
  now: Date;
}

/** Makes an account, a Pod with keys and a year of readings, as the app would. */
export async function preparePerson(
  person: (typeof demoPeople)[number],
  { serverUrl, folder, analyser, now }: DemoPlace,
  signal: AbortSignal,
) {
  const { name } = person;
  const password = randomBytes(12).toString('base64url');
  const login = { email: `${name}@demo.example`, password };
  const account = await createAccount(serverUrl, login, signal);
  const { webId } = await createAccountPod(account, name);
  const issued = await issueClientCredentials(account, { name: 'demo', webId });
  const { clientId, clientSecret } = issued;
  const securityKey = `the security key of ${name}`;
  const settingsFile = join(folder, `${name}.yaml`);
  const { host, port } = analyser.service;
  const settings = {
    web_id: webId,
    security_key: securityKey,
    credentials: { client_id: clientId, client_secret: clientSecret },
    analyser: { web_id: analyser.analyserWebId },
    grpc: { host, port },
  };
  await writeFileAtomically(settingsFile, stringify(settings), 0o600);
  const credentials = { clientId, clientSecret };
  const ownPod = await initialiseOwnPod({ webId, securityKey, credentials }, signal);
  try {
    await addReadings(ownPod, demoReadings(person, now), { signal });
    return { name, ownPod, settingsFile };
  } catch (error) {
    await ownPod.close();
    throw error;
  }
}

/** The weeks before the last week, each with one reading. */
const WEEKS = 51;
const WEEK_DAYS = 7;
/** Minutes since midnight. */
const [MORNING, EVENING] = [7 * 60, 19 * 60];
/** How much readings at rest differ, as a part of how much others do. */
const AT_REST = 0.3;

/**
 * One reading in each week, and then a week with a reading every morning and evening, which makes a home average. The
 * last reading is from the evening before `now`. At rest, as for a home average, readings differ less.
 */
function demoReadings({ name, start, trend }: DemoPerson, now: Date): NewReading[] {
  const random = createRandom(name);
  const [systolic, diastolic, heartRate] = start;
  const lastDay = Math.floor(now.getTime() / DAY_MS) - 1;
  const reading = (daysBefore: number, clock: number, spread: number): NewReading => {
    const part = 1 - daysBefore / (WEEKS * WEEK_DAYS);
    // Blood pressure is a little higher in the cold half of a year.
    const season = 3 * Math.cos(2 * Math.PI * part);
    const differ = (by: number) => spread * by * drawNormal(random);
    const shared = differ(4);
    const minutes = Math.floor(clock + 90 * random());
    const time = (lastDay - daysBefore) * DAY_MS + minutes * 60_000;
    return {
      timestamp: new Date(time).toISOString().slice(0, -1),
      systolic: Math.round(systolic + trend * part + season + shared + differ(2)),
      diastolic: Math.round(diastolic + (trend * part + season + shared) / 2 + differ(2)),
      heartRate: Math.round(heartRate + differ(4)),
      notes: '',
    };
  };
  const back = (count: number) => Array.from({ length: count }, (_, index) => count - index);
  return [
    ...back(WEEKS).map((weeks) => reading(weeks * WEEK_DAYS, MORNING, 1)),
    ...back(WEEK_DAYS).flatMap((day) => [
      reading(day - 1, MORNING, AT_REST),
      reading(day - 1, EVENING, AT_REST),
    ]),
  ];
}

/** A random number around 0, nearly always between -2 and 2. */
function drawNormal(random: () => number): number {
  return (random() + random() + random() + random() - 2) * Math.sqrt(3);
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
