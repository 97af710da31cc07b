import { mapConcurrently } from '../base/concurrency.js';
import { ServerError } from '../base/errors.js';
import { chunksOf } from '../base/lists.js';
import { countOf } from '../base/sentences.js';
import { type Rule, readEffectiveRules, readOwnRules } from '../pod/access-control.js';
import { isFolder, podDocuments } from '../pod/addresses.js';
import { readShareStatements, shareId, shareSubject } from '../pod/formats/shared-keys.js';
import { vocabulary as v } from '../pod/formats/vocabulary.js';
import { revokeShares, shareResources } from '../pod/sharing/share.js';
import { findRecipientPod } from '../pod/sharing/share-entries.js';
import { listContainer } from '../solid/documents.js';
import { ClientError } from './client-error.js';
import { webIdInput } from './inputs.js';
import type { OwnPod } from './own-pod.js';
import type { ReadingOptions } from './readings.js';
import { workOn } from './translate-errors.js';

/** Small enough to show progress, and large enough to keep changes of the recipient's inbox few. */
const BATCH = 25;
const READ_AT_ONCE = 16;
const LISTED_AT_ONCE = 8;

export interface ShareOptions extends ReadingOptions {
  /** If true, readings that are shared already are shared again, to replace entries that strangers damaged. */
  again?: boolean | undefined;
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

/** Files of any kind, folders at any depth. A refusal of the server is thrown after all else has been taken back. */
export function revokeReadings(
  ownPod: OwnPod,
  recipientWebId: string,
  { onProgress, signal }: ReadingOptions = {},
): Promise<number> {
  return workOn(ownPod, signal, async (ownPod) => {
    const refusals: ServerError[] = [];
    const urls = await listBelow(ownPod, dataFolder(ownPod), refusals);
    return await revoke(ownPod, recipientWebId, urls, refusals, onProgress);
  });
}

/** Returns how many were shared. Throws at the end if the server has refused something before or here. */
export async function revoke(
  ownPod: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
  refusals: ServerError[] = [],
  onProgress?: ReadingOptions['onProgress'],
): Promise<number> {
  const shared = await findShared(ownPod, recipientWebId, urls, refusals);
  const count = shared.length;
  let done = 0;
  for (const batch of chunksOf(shared, BATCH)) {
    await revokeShares(ownPod.client, ownPod.pod, { urls: batch, recipientWebId });
    done += batch.length;
    onProgress?.(done, count);
  }
  const [cause] = refusals;
  if (cause === undefined) return count;
  const message = `Taken back: ${countOf(count, 'share')}. Perhaps there are more: ${cause.message}`;
  throw new ClientError('server-refused', message, { cause });
}

/** Takes a refusal of the server for nothing, and notes it: it must not end the work on the rest. */
function noting(refusals: ServerError[]) {
  return (error: unknown): [] => {
    if (!(error instanceof ServerError) || error.failure !== 'refused') throw error;
    refusals.push(error);
    return [];
  };
}

async function listBelow(
  { client }: OwnPod,
  folder: string,
  refusals: ServerError[],
): Promise<string[]> {
  const all = [folder];
  for (let level = all; level.length > 0; ) {
    const members = await mapConcurrently(level, LISTED_AT_ONCE, (folder) =>
      listContainer(client, folder).catch(noting(refusals)),
    );
    const found = members.flatMap((urls) => urls ?? []);
    all.push(...found);
    level = found.filter(isFolder);
  }
  return all;
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

/** The readings that are not shared with the recipient yet, or whose entry in the inbox is incomplete. */
export async function findUnshared(
  ownPod: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
): Promise<string[]> {
  const entered = await findEntries(ownPod, recipientWebId, urls);
  const mayRead = ({ agents, modes }: Rule) =>
    agents.includes(recipientWebId) && modes.includes(v.read);
  const unshared = await mapConcurrently(urls, READ_AT_ONCE, async (url) => {
    const isShared =
      isWhole(entered.get(url) ?? []) &&
      ((await readOwnRules(ownPod.client, url)) ?? []).some(mayRead);
    return isShared ? [] : [url];
  });
  return unshared.flat();
}

/** An entry or a rule is enough, so that taking back can be repeated when it broke off between the two. */
async function findShared(
  ownPod: OwnPod,
  recipientWebId: string,
  urls: readonly string[],
  refusals: ServerError[],
): Promise<string[]> {
  const isNamed = ({ agents }: Rule) => agents.includes(recipientWebId);
  const entered = await findEntries(ownPod, recipientWebId, urls);
  const isShared = async (url: string) =>
    entered.has(url) || (await readRules(ownPod, url)).some(isNamed);
  const shared = await mapConcurrently(urls, READ_AT_ONCE, (url) =>
    isShared(url).then((isIt) => (isIt ? [url] : []), noting(refusals)),
  );
  return shared.flat();
}

function dataFolder({ pod }: OwnPod): string {
  return `${pod.documents.app}data/`;
}

/** Only the data folder counts with the rules of the folders above it, which keep theirs when it is taken back. */
async function readRules(ownPod: OwnPod, url: string): Promise<readonly Rule[]> {
  const { client, pod } = ownPod;
  if (url === dataFolder(ownPod)) return await readEffectiveRules(client, url, pod.root);
  return (await readOwnRules(client, url)) ?? [];
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
