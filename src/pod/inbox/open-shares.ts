import { decodeText } from '../crypto/content-cipher.js';
import { readResourceKey } from '../crypto/resource-key.js';
import { shareId } from '../documents/share-statements.js';
import { canonicalResource } from '../resource-address.js';
import type { EntryOpener, Opened } from './entry-opener.js';
import type { SealedShare } from './sealed-shares.js';

/** One spelling of an address, and the keys that were handed over under it. */
export interface AddressWithKeys {
  address: string;
  keys: readonly Buffer[];
}

export interface ShareReader {
  /** The owner of the inbox. */
  webId: string;
  opener: EntryOpener;
  wanted: (url: string) => boolean;
  withModes: boolean;
  signal: AbortSignal | undefined;
}

interface AddressedShare {
  /** Canonical. */
  url: string;
  /** The address as the share writes it. */
  spelling: string;
  /** Whether its id is the one that the app computes from its address. */
  genuine: boolean;
}

export interface WantedShare extends AddressedShare {
  keys: Buffer[];
  /** Empty unless asked for. */
  modes: string[];
}

/** One share of an inbox with its values opened. */
export type OpenedShare =
  | WantedShare
  /** It was not wanted; its keys stayed sealed. */
  | (AddressedShare & { keys: null })
  | {
      id: string;
      /** Completes a sentence that begins with the name of the entry. */
      problem: string;
    };

/** Opens the shares, in order: first all addresses, then the keys of the wanted ones. */
export async function openShares(
  shares: readonly SealedShare[],
  reader: ShareReader,
): Promise<OpenedShare[]> {
  const { wanted, withModes } = reader;
  const paths = await openAll(shares, (share) => share.sealedPaths, reader);
  const found = shares.map((share) => {
    const address = findAddress(share, paths.get(share) ?? [], reader.webId);
    return { share, address, isWanted: 'url' in address && wanted(address.url) };
  });
  const chosen = found.filter(({ isWanted }) => isWanted).map(({ share }) => share);
  const keys = await openAll(chosen, (share) => share.sealedKeys, reader);
  const modes = await openAll(withModes ? chosen : [], (share) => share.sealedAccessLists, reader);
  return found.map(({ share, address, isWanted }) => {
    const { id } = share;
    if ('problem' in address) return { id, ...address };
    if (!isWanted) return { ...address, keys: null };
    const usable = readKeys(keys.get(share) ?? []);
    if (usable.length === 0) return { id, problem: 'holds no key that opens' };
    return { ...address, keys: usable, modes: readModes(modes.get(share) ?? []) };
  });
}

function findAddress(
  share: SealedShare,
  openedPaths: readonly Opened[],
  webId: string,
): AddressedShare | { problem: string } {
  const texts = openedPaths.flatMap((bytes) => (bytes && decodeText(bytes)) ?? []);
  const own = texts.find((text) => shareId(text, webId) === share.id);
  const genuine = own !== undefined;
  if (!genuine && (share.sealedPaths.length !== 1 || share.sealedKeys.length !== 1)) {
    return { problem: 'does not hold exactly one address and one key' };
  }
  const spelling = own ?? texts[0];
  if (spelling === undefined) return { problem: 'does not open' };
  const url = canonicalResource(spelling);
  return url === null ? { problem: 'names no address of a resource' } : { url, spelling, genuine };
}

/** Opens the values of all shares in one go. */
async function openAll(
  shares: readonly SealedShare[],
  pick: (share: SealedShare) => readonly string[],
  { opener, signal }: ShareReader,
): Promise<Map<SealedShare, readonly Opened[]>> {
  const opened = await opener.open(shares.flatMap(pick), signal);
  const ofShares = new Map<SealedShare, readonly Opened[]>();
  let start = 0;
  for (const share of shares) {
    const end = start + pick(share).length;
    ofShares.set(share, opened.slice(start, end));
    start = end;
  }
  return ofShares;
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
