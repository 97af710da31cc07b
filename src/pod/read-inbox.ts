import { createBreather } from '../base/breathe.js';
import { WarningList } from '../base/warning-list.js';
import type { SolidClient } from '../solid/solid-client.js';
import type { EntryOpener } from './crypto/entry-opener.js';
import type { SealedEntries } from './documents/sealed-entries.js';
import { openShares } from './open-shares.js';
import { createOpenedShares, type OpenedShare, type OpenedShares } from './opened-share.js';
import { isFolder } from './resource-address.js';
import { fetchShares, type SharesDocument } from './shared-keys-document.js';
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

/** What earlier answers have left, keys of other people among it. */
export interface InboxMemory {
  /** The server is asked all the same, but an inbox that is the same to the byte says the same. */
  last: Inbox | null;
  opened: OpenedShares;
}

export function createInboxMemory(): InboxMemory {
  return { last: null, opened: createOpenedShares() };
}

export interface InboxQuestion {
  wanted: (url: string) => boolean;
  withModes?: boolean;
  /** Of this very question, to this Pod. */
  memory?: InboxMemory;
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
  const document = await fetchShares(client, pod.documents.sharedKeys, question.signal);
  const { memory = createInboxMemory() } = question;
  try {
    if (memory.last?.fingerprint === (document?.fingerprint ?? '')) return memory.last;
    memory.last = await readDocument(document, pod, opener, { ...question, memory });
    return memory.last;
  } finally {
    document?.release();
  }
}

async function readDocument(
  document: SharesDocument | null,
  pod: UnlockedPod,
  opener: EntryOpener,
  { wanted, withModes = false, memory, signal }: InboxQuestion & { memory: InboxMemory },
): Promise<Inbox> {
  const { entries, useless, damage } = (await document?.scan()) ?? nothing;
  const warnings = new InboxWarnings(pod.documents.sharedKeys);
  for (const id of useless) warnings.add(id, 'holds nothing that could be opened');
  if (damage !== null) warnings.addDamage(damage);
  const reader = { webId: pod.webId, opener, memory: memory.opened, wanted, withModes, signal };
  const opened = await openShares(entries, reader);
  memory.opened.endRun();
  opener.endRun();
  const fingerprint = document?.fingerprint ?? '';
  return { ...(await merge(opened, wanted, warnings, signal)), fingerprint };
}

const nothing: SealedEntries = { entries: [], useless: [], damage: null };

/** Several shares can be about one resource. */
async function merge(
  opened: readonly OpenedShare[],
  wanted: (url: string) => boolean,
  warnings: InboxWarnings,
  signal: AbortSignal | undefined,
): Promise<Omit<Inbox, 'fingerprint'>> {
  const genuine: Addressed[] = [];
  const others: Addressed[] = [];
  const notWanted = new Set<string>();
  const breathe = createBreather(signal);
  for (const share of opened) {
    await breathe();
    if ('problem' in share) warnings.add(share.id, share.problem);
    else if (share.keys === null || !wanted(share.url)) notWanted.add(share.url);
    else (share.genuine ? genuine : others).push({ ...share, keys: share.keys });
  }
  const entries = new Map<string, InboxEntry>();
  const distinct = new Map<string, Set<string>>();
  // The keys of genuine entries are the first to be tried.
  for (const { url, keys, modes } of [...genuine, ...others]) {
    await breathe();
    const entry = entries.get(url);
    if (entry === undefined) {
      const kind = isFolder(url) ? 'folder' : 'file';
      entries.set(url, { url, kind, keys: [...keys], modes: modes ?? [] });
      continue;
    }
    const known = distinct.get(url) ?? new Set(entry.keys.map(spell));
    distinct.set(url, known);
    for (const key of keys) {
      if (!known.has(spell(key))) entry.keys.push(key);
      known.add(spell(key));
    }
    entry.modes = [...new Set([...entry.modes, ...(modes ?? [])])].sort();
  }
  return { entries: [...entries.values()], notWanted: [...notWanted], warnings: warnings.list() };
}

function spell(key: Buffer): string {
  return key.toString('latin1');
}

type Addressed = { url: string; keys: Buffer[]; modes: string[] | null };

class InboxWarnings {
  readonly #warnings = new WarningList();

  constructor(readonly url: string) {}

  add(id: string, reason: string): void {
    this.#warnings.add(`an entry ${reason}`, `${this.url}: the entry ${id} ${reason}.`);
  }

  addDamage(damage: string): void {
    const remedy = 'The entries that could be made out were used; restore the document.';
    this.#warnings.add('damage', `${damage} ${remedy}`);
  }

  list(): string[] {
    return this.#warnings.list();
  }
}
