import { mapConcurrently } from '../base/concurrency.js';
import { AnalyserError } from '../base/errors.js';
import { isRecord, parseJson } from '../base/parse-json.js';
import { decodeText, decryptContent } from '../pod/crypto/content-cipher.js';
import { aclAddress } from '../pod/documents/access-control-list.js';
import { parseEncryptedResource } from '../pod/documents/encrypted-resource.js';
import { folderInPod } from '../pod/resource-address.js';
import { findKeysInUse } from '../pod/sharing/keys-in-use.js';
import { putEncryptedResource } from '../pod/write-encrypted-resource.js';
import { requireSuccess } from '../solid/require-success.js';
import type { SolidClient } from '../solid/solid-client.js';
import { ClientError } from './client-error.js';
import { type NewReading, parseNewReading } from './new-reading.js';
import type { OwnPod } from './own-pod.js';
import { listReadings, readingAddress } from './readings.js';
import { revoke } from './shares.js';
import { workOn } from './translate-errors.js';

/** The corrected values. The time cannot be corrected, because the address of the reading is made from it. */
export type Correction = Partial<Omit<NewReading, 'timestamp'>>;

const REMOVED_AT_ONCE = 8;

/**
 * Replaces values in the reading of that second and keeps the rest of its file. The file also keeps its address and
 * its key, so everybody who may read it reads the new values. `confirm` is called with the corrected reading. When it
 * returns false, nothing is written and this function returns false too.
 */
export function correctReading(
  ownPod: OwnPod,
  timestamp: string,
  correction: Correction,
  signal?: AbortSignal,
  confirm: (corrected: NewReading) => boolean | Promise<boolean> = () => true,
): Promise<boolean> {
  return workOn(ownPod, signal, async ({ client, pod }) => {
    const url = readingAddress(ownPod, timestamp);
    const answer = await client.request(url, { headers: { accept: '*/*' } });
    if (answer.status === 404) throw noReading(timestamp, url);
    const resource = parseEncryptedResource(requireSuccess(answer, 'read').body, url);
    const key = (await findKeysInUse(client, pod, [url])).get(url);
    const opened = key === undefined ? null : decryptContent(resource.content, key);
    const text = opened === null ? null : decodeText(opened);
    if (key === undefined || text === null) {
      throw new AnalyserError('malformed', `${url} does not open with the key of your Pod.`);
    }
    const { corrected, content } = correctText(text, timestamp, correction, url);
    if (!(await confirm(corrected))) return false;
    const inheritFrom = folderInPod(resource.inheritKeyFrom, pod.root) ?? undefined;
    await putEncryptedResource(client, pod, { url, content, inheritFrom }, key);
    return true;
  });
}

/**
 * Revokes the shares of these readings with the recipient, then deletes their files. The keys stay, because a new
 * reading of the same second has to use the same key again. Readings that are gone already are skipped, so a removal
 * that failed halfway can be repeated. `no-reading` is thrown only if none of the readings is there.
 */
export function removeReadings(
  ownPod: OwnPod,
  recipientWebId: string,
  timestamps: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  return workOn(ownPod, signal, async (ownPod) => {
    const there = new Set(await listReadings(ownPod));
    const urlOf = (timestamp: string) => readingAddress(ownPod, timestamp);
    const urls = timestamps.map(urlOf).filter((url) => there.has(url));
    const [first] = timestamps;
    if (urls.length === 0 && first !== undefined) throw noReading(first, urlOf(first));
    await revoke(ownPod, recipientWebId, { found: urls, refusals: [] });
    await mapConcurrently(urls, REMOVED_AT_ONCE, async (url) => {
      // The rules go after the file, which would otherwise be under those of its folder if it cannot be removed.
      for (const address of [url, aclAddress(url)]) await remove(ownPod.client, address);
    });
  });
}

async function remove(client: SolidClient, url: string): Promise<void> {
  const answer = await client.request(url, { method: 'DELETE' });
  if (answer.status !== 404) requireSuccess(answer, 'deleted');
}

function noReading(timestamp: string, url: string): ClientError {
  const message = `There is no reading of ${timestamp.slice(0, 19)} in your Pod.`;
  const hint = `It would be ${url}; app list or listReadings shows which there are.`;
  return new ClientError('no-reading', message, { hint });
}

function correctText(
  text: string,
  timestamp: string,
  correction: Correction,
  url: string,
): { corrected: NewReading; content: string } {
  const file = parseJson(text);
  if (!isRecord(file)) {
    throw new AnalyserError('malformed', `${url} does not hold one reading, so it stays as it is.`);
  }
  const measures = isRecord(file['responses']) ? file['responses'] : file;
  const { heartRate = measures['heart_rate'], notes = measures['notes'] } = correction;
  const { systolic = measures['systolic'], diastolic = measures['diastolic'] } = correction;
  const corrected = parseNewReading({
    timestamp,
    systolic: textOf(systolic),
    diastolic: textOf(diastolic),
    heartRate: textOf(heartRate),
    notes: typeof notes === 'string' ? notes : '',
  });
  const { timestamp: _time, heartRate: rate, ...values } = corrected;
  const changed = { ...measures, ...values, heart_rate: rate ?? '' };
  const whole = measures === file ? changed : { ...file, responses: changed };
  return { corrected, content: JSON.stringify(whole) };
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
