import { decodeText } from '../crypto/content-cipher.js';
import { readResourceKey } from '../crypto/resource-key.js';
import { type SealedEntry, shareId } from '../documents/shared-keys.js';
import { canonicalResource } from '../resource-address.js';
import type { EntryOpener, Opened } from './entry-opener.js';

export interface EntryReader {
  /** The owner of the inbox. */
  webId: string;
  opener: EntryOpener;
  wanted: (url: string) => boolean;
  /** Why an entry with this spelling of the address is left out; null when the entry stays. */
  objectionTo: (url: string, spelling: string) => string | null;
  withModes: boolean;
  signal: AbortSignal | undefined;
}

interface AddressedEntry {
  /** Canonical. */
  url: string;
  /** Whether the id of the entry is the id that the app computes from the address. */
  genuine: boolean;
}

export interface WantedEntry extends AddressedEntry {
  keys: Buffer[];
  /** Empty unless asked for. */
  modes: string[];
}

/** One entry of an inbox with its values opened. */
export type OpenedEntry =
  | WantedEntry
  /** An entry that was not wanted; its keys stayed sealed. */
  | (AddressedEntry & { keys: null })
  | {
      id: string;
      /** Completes a sentence that begins with the name of the entry. */
      problem: string;
    };

/** Opens all addresses first, then the keys of the wanted entries; returns the results in the order of the entries. */
export async function openEntries(
  entries: readonly SealedEntry[],
  reader: EntryReader,
): Promise<OpenedEntry[]> {
  const { wanted, withModes } = reader;
  const paths = await openAll(entries, (entry) => entry.sealedPaths, reader);
  const found = entries.map((entry) => {
    const address = findAddress(entry, paths.get(entry) ?? [], reader);
    return { entry, address, isWanted: 'url' in address && wanted(address.url) };
  });
  const chosen = found.filter(({ isWanted }) => isWanted).map(({ entry }) => entry);
  const keys = await openAll(chosen, (entry) => entry.sealedKeys, reader);
  const modes = await openAll(withModes ? chosen : [], (entry) => entry.sealedAccessLists, reader);
  return found.map(({ entry, address, isWanted }) => {
    const { id } = entry;
    if ('problem' in address) return { id, ...address };
    if (!isWanted) return { ...address, keys: null };
    const usable = readKeys(keys.get(entry) ?? []);
    if (usable.length === 0) return { id, problem: 'holds no key that opens' };
    return { ...address, keys: usable, modes: readModes(modes.get(entry) ?? []) };
  });
}

function findAddress(
  entry: SealedEntry,
  openedPaths: readonly Opened[],
  { webId, objectionTo }: EntryReader,
): AddressedEntry | { problem: string } {
  const texts = openedPaths.flatMap((bytes) => (bytes && decodeText(bytes)) ?? []);
  const own = texts.find((text) => shareId(text, webId) === entry.id);
  const genuine = own !== undefined;
  if (!genuine && (entry.sealedPaths.length !== 1 || entry.sealedKeys.length !== 1)) {
    return { problem: 'does not hold exactly one address and one key' };
  }
  const spelling = own ?? texts[0];
  if (spelling === undefined) return { problem: 'does not open' };
  const url = canonicalResource(spelling);
  if (url === null) return { problem: 'names no address of a resource' };
  const problem = objectionTo(url, spelling);
  return problem === null ? { url, genuine } : { problem };
}

/** Opens the values of all entries in one go. */
async function openAll(
  entries: readonly SealedEntry[],
  pick: (entry: SealedEntry) => readonly string[],
  { opener, signal }: EntryReader,
): Promise<Map<SealedEntry, readonly Opened[]>> {
  const opened = await opener.open(entries.flatMap(pick), signal);
  const ofEntries = new Map<SealedEntry, readonly Opened[]>();
  let start = 0;
  for (const entry of entries) {
    const end = start + pick(entry).length;
    ofEntries.set(entry, opened.slice(start, end));
    start = end;
  }
  return ofEntries;
}

function readKeys(opened: readonly Opened[]): Buffer[] {
  return distinctKeys(opened.flatMap((bytes) => readResourceKey(bytes) ?? []));
}

export function distinctKeys(keys: readonly Buffer[]): Buffer[] {
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

function readModes(opened: readonly Opened[]): string[] {
  const modes = opened
    .flatMap((bytes) => (bytes && decodeText(bytes)) ?? [])
    .flatMap((text) => text.split(','))
    .map((mode) => mode.trim().toLowerCase())
    .filter((mode) => /^[a-z]{1,20}$/.test(mode));
  return [...new Set(modes)].sort();
}
