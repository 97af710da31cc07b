import { mapConcurrently } from '../base/concurrency.js';
import { ServerError } from '../base/errors.js';
import { chunksOf } from '../base/lists.js';
import { podDocuments } from '../pod/addresses.js';
import { aclAddress, parseAcl } from '../pod/documents/access-control-list.js';
import { shareId, shareSubject } from '../pod/documents/share-statements.js';
import { readShareStatements } from '../pod/inbox/shared-keys-document.js';
import { findRecipientPod } from '../pod/sharing/recipient-pod.js';
import { revokeShares, shareResources } from '../pod/sharing/share.js';
import { vocabulary as v } from '../pod/vocabulary.js';
import { getTurtle } from '../solid/documents/get-turtle.js';
import { ClientError } from './client-error.js';
import { webIdInput } from './inputs.js';
import type { OwnPod } from './own-pod.js';
import { listReadings, readingsFolder } from './readings.js';
import { workOn } from './translate-errors.js';

/** Small enough to show progress, and large enough to keep changes of the recipient's inbox few. */
const BATCH = 25;
const READ_AT_ONCE = 16;

export interface ShareOptions {
  /** If true, readings that are shared already are shared again, to replace entries that strangers damaged. */
  again?: boolean | undefined;
  onProgress?: ((done: number, all: number) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The readings that are not shared with the recipient yet, or whose entry in the inbox is incomplete. */
export function unsharedReadings(
  ownPod: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  return workOn(ownPod, signal, (ownPod) => findUnshared(ownPod, recipientWebId, urls));
}

/** Grants the recipient read access to each reading and hands over its key; returns how many readings it shared. */
export function shareReadings(
  ownPod: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
  { again = false, onProgress, signal }: ShareOptions = {},
): Promise<number> {
  return workOn(ownPod, signal, async (ownPod) => {
    const wanted = again ? urls : await findUnshared(ownPod, recipientWebId, urls);
    let done = urls.length - wanted.length;
    onProgress?.(done, urls.length);
    for (const batch of chunksOf(wanted, BATCH)) {
      await shareResources(ownPod.client, ownPod.pod, { urls: batch, recipientWebId });
      done += batch.length;
      onProgress?.(done, urls.length);
    }
    return wanted.length;
  });
}

/** Revokes the shares of all readings and of their folder; returns how many there were. */
export function revokeReadings(
  ownPod: OwnPod,
  recipientWebId: string,
  { onProgress, signal }: Omit<ShareOptions, 'again'> = {},
): Promise<number> {
  return workOn(ownPod, signal, async (ownPod) => {
    const candidates = [readingsFolder(ownPod), ...(await listReadings(ownPod))];
    return await revoke(ownPod, recipientWebId, candidates, onProgress);
  });
}

/** Revokes the share of every resource in the list that is shared with the recipient; returns how many there were. */
export async function revoke(
  ownPod: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
  onProgress?: ShareOptions['onProgress'],
): Promise<number> {
  const shared = await findShared(ownPod, recipientWebId, urls);
  let done = 0;
  for (const batch of chunksOf(shared, BATCH)) {
    await revokeShares(ownPod.client, ownPod.pod, { urls: batch, recipientWebId });
    done += batch.length;
    onProgress?.(done, shared.length);
  }
  return shared.length;
}

/** Throws when keys cannot be sealed for the recipient, before anything is shared. */
export async function requireInitialised(
  { client, pod }: OwnPod,
  recipientWebId: string,
): Promise<void> {
  try {
    await findRecipientPod(client, recipientWebId, pod.appDir);
  } catch (error) {
    if (!(error instanceof ServerError) || error.failure !== 'refused') throw error;
    throw new ClientError('recipient-not-initialised', error.message, { cause: error });
  }
}

async function findUnshared(
  ownPod: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
): Promise<string[]> {
  const entered = await findEntries(ownPod, recipientWebId, urls);
  const candidates = urls.filter((url) => isWhole(entered.get(url) ?? []));
  const readable = await findReadable(ownPod, recipientWebId, candidates);
  return urls.filter((url) => !readable.has(url));
}

async function findShared(
  ownPod: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
): Promise<string[]> {
  const entered = await findEntries(ownPod, recipientWebId, urls);
  const candidates = urls.filter((url) => !entered.has(url));
  const readable = await findReadable(ownPod, recipientWebId, candidates);
  return urls.filter((url) => entered.has(url) || readable.has(url));
}

/** The predicates of each entry in the recipient's inbox. Everybody may read the inbox, but its values are sealed. */
async function findEntries(
  { client, pod }: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
): Promise<Map<string, string[]>> {
  const recipient = webIdInput(recipientWebId, 'recipientWebId');
  const urlOf = new Map(urls.map((url) => [shareSubject(shareId(url, recipient.webId)), url]));
  const inbox = podDocuments(recipient.root, pod.appDir).sharedKeys;
  const statements = await readShareStatements(client, inbox, [...urlOf.keys()]);
  const found = new Map<string, string[]>();
  for (const { subject, predicate } of statements ?? []) {
    const url = urlOf.get(subject);
    if (url !== undefined) found.set(url, [...(found.get(url) ?? []), predicate]);
  }
  return found;
}

/** Whether an entry has exactly the three values that sharing writes. */
function isWhole(predicates: string[]): boolean {
  const written = [v.sharedAccess, v.sharedKey, v.sharedPath];
  return predicates.toSorted().join() === written.sort().join();
}

async function findReadable(
  { client }: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
): Promise<Set<string>> {
  const readable = await mapConcurrently(urls, READ_AT_ONCE, async (url) => {
    const document = await getTurtle(client, aclAddress(url));
    const rules = document === undefined ? [] : parseAcl(document);
    const isNamed = rules.some(
      ({ agents, modes }) => agents.includes(recipientWebId) && modes.includes(v.read),
    );
    return isNamed ? [url] : [];
  });
  return new Set(readable.flat());
}
