import { WarningList } from '../base/warning-list.js';
import type { SolidClient } from '../solid/solid-client.js';
import { createBreather } from './breathe.js';
import { decodeText } from './crypto/content-cipher.js';
import type { EntryOpener } from './crypto/entry-opener.js';
import { readResourceKey } from './crypto/resource-key.js';
import { shareId } from './crypto/share-id.js';
import type { SealedShare } from './documents/scan-shared-keys.js';
import { canonicalResource, isFolder } from './resource-address.js';
import { fetchShares } from './shared-keys-document.js';
import type { UnlockedPod } from './unlock-pod.js';

export interface InboxEntry {
  /** Canonical. */
  url: string;
  kind: 'file' | 'folder';
  /** Never empty. More than one when somebody added to the entry; those of the owner come first. */
  keys: Buffer[];
  /** Lower case; empty unless asked for. */
  modes: string[];
}

export interface Inbox {
  entries: InboxEntry[];
  /** Canonical addresses of shares that were not wanted; their keys stay sealed. */
  notWanted: string[];
  warnings: string[];
  /** Of the document it was read from; empty when there is none. */
  fingerprint: string;
}

export interface InboxQuestion {
  wanted: (url: string) => boolean;
  withModes?: boolean;
  /**
   * What was answered to the same question before. The server is asked all the same, but an
   * inbox that is the same to the byte says the same.
   */
  last?: Inbox | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * What is shared with a Pod. Everybody can add anything to its inbox, so nothing that was
 * added can take a genuine entry away: an entry is genuine when its id is the one the app
 * computes from the address it carries, whatever else it carries.
 */
export async function readInbox(
  client: SolidClient,
  pod: UnlockedPod,
  opener: EntryOpener,
  question: InboxQuestion,
): Promise<Inbox> {
  const { wanted, withModes = false, last, signal } = question;
  const document = await fetchShares(client, pod.documents.sharedKeys, signal);
  const fingerprint = document?.fingerprint ?? '';
  if (last?.fingerprint === fingerprint) return last;
  opener.startRun();
  const scanned = (await document?.scan()) ?? null;
  const warnings = new InboxWarnings(pod.documents.sharedKeys);
  const reader = { webId: pod.webId, opener, warnings, signal };
  for (const id of scanned?.useless ?? []) warnings.add(id, 'holds nothing that could be opened');

  if (scanned?.damage) warnings.addDamage(scanned.damage);
  const addressed = await findAddresses(scanned?.shares ?? [], reader);
  const chosen: Addressed[] = [];
  const answers = new Map<string, boolean>();
  const breathe = createBreather(signal);
  for (const share of addressed) {
    await breathe();
    const answer = answers.get(share.url) ?? wanted(share.url);
    answers.set(share.url, answer);
    if (answer) chosen.push(share);
  }
  return {
    entries: await openEntries(chosen, withModes, reader),
    notWanted: [...answers].flatMap(([url, answer]) => (answer ? [] : [url])),
    warnings: warnings.list(),
    fingerprint,
  };
}

interface InboxReader {
  webId: string;
  opener: EntryOpener;
  warnings: InboxWarnings;
  signal: AbortSignal | undefined;
}

interface Addressed {
  share: SealedShare;
  url: string;
  genuine: boolean;
}

async function findAddresses(shares: SealedShare[], reader: InboxReader): Promise<Addressed[]> {
  const opened = await openAll(shares, (share) => share.paths, reader);
  const breathe = createBreather(reader.signal);
  const addressed: Addressed[] = [];
  for (const [index, share] of shares.entries()) {
    await breathe();
    const found = findAddress(share, opened[index] ?? [], reader);
    if (found !== null) addressed.push(found);
  }
  return addressed;
}

function findAddress(
  share: SealedShare,
  openedPaths: readonly (Buffer | null)[],
  { webId, warnings }: InboxReader,
): Addressed | null {
  const texts = openedPaths.flatMap((bytes) => (bytes && decodeText(bytes)) ?? []);
  const own = texts.find((text) => shareId(text, webId) === share.id);
  const genuine = own !== undefined;
  if (!genuine && (share.paths.length !== 1 || share.keys.length !== 1)) {
    return warnings.add(share.id, 'does not hold exactly one address and one key');
  }
  const address = own ?? texts[0];
  if (address === undefined) return warnings.add(share.id, 'does not open');
  const url = canonicalResource(address);
  if (url === null) return warnings.add(share.id, 'names no address of a resource');
  return { share, url, genuine };
}

async function openEntries(
  chosen: Addressed[],
  withModes: boolean,
  reader: InboxReader,
): Promise<InboxEntry[]> {
  // The keys of genuine entries are the first to be tried.
  const ordered = [...chosen.filter((one) => one.genuine), ...chosen.filter((one) => !one.genuine)];
  const shares = ordered.map(({ share }) => share);
  const keys = await openAll(shares, (share) => share.keys, reader);
  const modes = withModes ? await openAll(shares, (share) => share.accessLists, reader) : [];
  const breathe = createBreather(reader.signal);
  const merged = new Map<string, { keys: Map<string, Buffer>; modes: Set<string> }>();
  for (const [index, { share, url }] of ordered.entries()) {
    await breathe();
    const usable = (keys[index] ?? []).flatMap((bytes) => readResourceKey(bytes) ?? []);
    if (usable.length === 0) {
      reader.warnings.add(share.id, 'holds no key that opens');
      continue;
    }
    const entry = merged.get(url) ?? { keys: new Map<string, Buffer>(), modes: new Set<string>() };
    merged.set(url, entry);
    for (const key of usable) entry.keys.set(key.toString('latin1'), key);
    for (const mode of readModes(modes[index] ?? [])) entry.modes.add(mode);
  }
  return Array.from(merged, ([url, entry]) => ({
    url,
    kind: isFolder(url) ? 'folder' : 'file',
    keys: [...entry.keys.values()],
    modes: [...entry.modes].sort(),
  }));
}

/** One list of opened values for each share, with everything opened in one go. */
async function openAll(
  shares: readonly SealedShare[],
  pick: (share: SealedShare) => readonly string[],
  { opener, signal }: InboxReader,
): Promise<(Buffer | null)[][]> {
  const opened = await opener.open(shares.flatMap(pick), signal);
  let position = 0;
  return shares.map((share) => opened.slice(position, (position += pick(share).length)));
}

function readModes(opened: readonly (Buffer | null)[]): string[] {
  return opened
    .flatMap((bytes) => (bytes && decodeText(bytes)) ?? [])
    .flatMap((text) => text.split(','))
    .map((mode) => mode.trim().toLowerCase())
    .filter((mode) => /^[a-z]{1,20}$/.test(mode));
}

class InboxWarnings {
  readonly #warnings = new WarningList();

  constructor(readonly url: string) {}

  add(id: string, reason: string): null {
    this.#warnings.add(`an entry ${reason}`, `${this.url}: the entry ${id} ${reason}.`);
    return null;
  }

  addDamage(damage: string): void {
    const remedy = 'The entries that could be made out were used; restore the document.';
    this.#warnings.add('damage', `${damage} ${remedy}`);
  }

  list(): string[] {
    return this.#warnings.list();
  }
}
