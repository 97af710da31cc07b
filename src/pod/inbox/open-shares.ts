import { decodeText } from '../crypto/content-cipher.js';
import { readResourceKey } from '../crypto/resource-key.js';
import { shareId } from '../documents/share-statements.js';
import { canonicalResource } from '../resource-address.js';
import type { EntryOpener, Opened } from './entry-opener.js';
import type { SealedShare } from './sealed-shares.js';

/** One way in which an address is written, and the keys that were handed over under it. */
export interface AddressWithKeys {
  address: string;
  keys: readonly Buffer[];
}

export interface ShareReader {
  /** Whose inbox it is. */
  webId: string;
  opener: EntryOpener;
  wanted: (url: string) => boolean;
  withModes: boolean;
  signal: AbortSignal | undefined;
}

/** What one share of an inbox says, once its values have been opened. */
export type OpenedShare =
  | {
      /** Canonical. */
      url: string;
      /** As it is written there. */
      spelling: string;
      /** Its id is the one the app computes from the address it carries. */
      genuine: boolean;
      /** Null when it was not wanted, so that they stayed sealed. */
      keys: Buffer[] | null;
      /** Empty when nobody asked. */
      modes: string[];
    }
  | {
      id: string;
      /** Words that go after the entry's name. */
      problem: string;
    };

/** What each share says, in their order; first where it leads, then the keys of those that are wanted. */
export async function openShares(
  shares: readonly SealedShare[],
  reader: ShareReader,
): Promise<OpenedShare[]> {
  const { wanted, withModes } = reader;
  const paths = await openAll(shares, (share) => share.paths, reader);
  const found = shares.map((share, index) => {
    const address = findAddress(share, paths[index] ?? [], reader.webId);
    return { share, address, isWanted: 'url' in address && wanted(address.url) };
  });
  const chosen = found.filter(({ isWanted }) => isWanted).map(({ share }) => share);
  const keys = (await openAll(chosen, (share) => share.keys, reader)).values();
  const modes = withModes
    ? (await openAll(chosen, (share) => share.accessLists, reader)).values()
    : null;
  return found.map(({ share: { id }, address, isWanted }) => {
    if ('problem' in address) return { id, ...address };
    if (!isWanted) return { ...address, keys: null, modes: [] };
    const usable = readKeys(keys.next().value ?? []);
    const readable = readModes(modes?.next().value ?? []);
    if (usable.length === 0) return { id, problem: 'holds no key that opens' };
    return { ...address, keys: usable, modes: readable };
  });
}

function findAddress(
  share: SealedShare,
  openedPaths: readonly Opened[],
  webId: string,
): { url: string; spelling: string; genuine: boolean } | { problem: string } {
  const texts = openedPaths.flatMap((bytes) => (bytes && decodeText(bytes)) ?? []);
  const own = texts.find((text) => shareId(text, webId) === share.id);
  const genuine = own !== undefined;
  if (!genuine && (share.paths.length !== 1 || share.keys.length !== 1)) {
    return { problem: 'does not hold exactly one address and one key' };
  }
  const spelling = own ?? texts[0];
  if (spelling === undefined) return { problem: 'does not open' };
  const url = canonicalResource(spelling);
  return url === null ? { problem: 'names no address of a resource' } : { url, spelling, genuine };
}

/** One list of opened values for each share, with everything opened in one go. */
async function openAll(
  shares: readonly SealedShare[],
  pick: (share: SealedShare) => readonly string[],
  { opener, signal }: ShareReader,
): Promise<Opened[][]> {
  const opened = (await opener.open(shares.flatMap(pick), signal)).values();
  return shares.map((share) => pick(share).map(() => opened.next().value ?? null));
}

function readKeys(opened: readonly Opened[]): Buffer[] {
  const keys = new Map<string, Buffer>();
  for (const bytes of opened) {
    const key = readResourceKey(bytes);
    if (key !== null) keys.set(key.toString('latin1'), key);
  }
  return [...keys.values()];
}

function readModes(opened: readonly Opened[]): string[] {
  const modes = opened
    .flatMap((bytes) => (bytes && decodeText(bytes)) ?? [])
    .flatMap((text) => text.split(','))
    .map((mode) => mode.trim().toLowerCase())
    .filter((mode) => /^[a-z]{1,20}$/.test(mode));
  return [...new Set(modes)].sort();
}
