import { randomBytes } from 'node:crypto';
import { changeAccess } from '../../src/pod/access-control.js';
import { shareResources } from '../../src/pod/sharing/share.js';
import { findRecipientPod, putShareEntries } from '../../src/pod/sharing/share-entries.js';
import { writeEncryptedResources } from '../../src/pod/write-resource.js';
import { putDocument } from '../../src/solid/documents.js';
import { createInitialisedPod, type InitialisedPod } from './initialised-pod.js';
import { writeInheriting } from './write-inheriting.js';

export interface TestReading {
  /** Without offset, as the app writes it. */
  timestamp: string;
  systolic: number;
  diastolic: number;
  heart_rate: number | string | null;
}

/** Where the app would put a reading. */
export function readingAddress({ pod }: InitialisedPod, timestamp: string): string {
  const name = timestamp.slice(0, 19).replaceAll(':', '-');
  return `${pod.documents.app}data/blood_pressure/bp_${name}.json.enc.ttl`;
}

export function readingText({ timestamp, ...responses }: TestReading): string {
  return JSON.stringify({ timestamp, responses: { ...responses, notes: '' } });
}

/** Records each reading in a file of its own, as the app does; answers the addresses. */
export async function record(
  owner: InitialisedPod,
  readings: readonly TestReading[],
): Promise<string[]> {
  const contents = readings.map((reading) => ({
    url: readingAddress(owner, reading.timestamp),
    content: readingText(reading),
  }));
  await writeEncryptedResources(owner.client, owner.pod, contents);
  return contents.map(({ url }) => url);
}

export type Contributor = InitialisedPod & { urls: string[] };

/** A Pod with readings, all of them shared with the Analyser. */
export async function createContributor(
  server: { baseUrl: string },
  analyser: InitialisedPod,
  readings: readonly TestReading[],
  options: { name?: string } = {},
): Promise<Contributor> {
  const { appDir, webId } = analyser.pod;
  const owner = await createInitialisedPod(server, { ...options, appDir });
  const urls = await record(owner, readings);
  await shareResources(owner.client, owner.pod, { urls, recipientWebId: webId });
  return { ...owner, urls };
}

export const readingsFolder = ({ pod }: InitialisedPod) =>
  `${pod.documents.app}data/blood_pressure/`;

/** Records readings under the key of their folder. */
export async function recordInFolder(
  owner: InitialisedPod,
  readings: readonly TestReading[],
): Promise<void> {
  const contents = readings.map((reading) => ({
    url: readingAddress(owner, reading.timestamp),
    content: readingText(reading),
  }));
  await writeInheriting(owner, contents, readingsFolder(owner));
}

/** The same, and shares the folder with the Analyser; answers its address. */
export async function shareFolder(
  owner: InitialisedPod,
  analyser: InitialisedPod,
  readings: readonly TestReading[],
): Promise<string> {
  await recordInFolder(owner, readings);
  const folder = readingsFolder(owner);
  const recipientWebId = analyser.pod.webId;
  await shareResources(owner.client, owner.pod, { urls: [folder], recipientWebId });
  return folder;
}

/** Shares what is no encrypted resource; the app hands over some key all the same. */
export async function sharePlain(
  owner: InitialisedPod,
  analyser: InitialisedPod,
  file: { name: string; content: string; contentType: string },
): Promise<string> {
  const url = `${owner.pod.documents.app}data/blood_pressure/${file.name}`;
  await putDocument(owner.client, url, file.content, { contentType: file.contentType });
  await allowReading(owner, analyser, url);
  await plantKey(owner, analyser, url);
  return url;
}

export async function allowReading(
  owner: InitialisedPod,
  analyser: InitialisedPod,
  url: string,
): Promise<void> {
  const agent = analyser.pod.webId;
  await changeAccess(owner.client, { resources: [url], pod: owner.pod, agent, modes: ['read'] });
}

/** An entry in the Analyser's inbox, which anybody can make about anything. */
export async function plantKey(
  stranger: InitialisedPod,
  analyser: InitialisedPod,
  url: string,
  key: Buffer = randomBytes(32),
): Promise<void> {
  const { appDir, webId } = analyser.pod;
  const recipient = await findRecipientPod(stranger.client, webId, appDir);
  await putShareEntries(stranger.client, recipient, [{ url, key }]);
}

/** [systolic, diastolic, heart rate] a week apart. */
export function weekly(...values: [number, number, number | null][]): TestReading[] {
  return values.map(([systolic, diastolic, heart_rate], index) => ({
    timestamp: new Date(Date.UTC(2026, 0, 5 + 7 * index, 8)).toISOString().slice(0, 23),
    systolic,
    diastolic,
    heart_rate,
  }));
}
