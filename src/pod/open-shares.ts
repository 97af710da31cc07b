import { availableParallelism } from 'node:os';
import { createBreather, mapWithPauses } from '../base/breathe.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import { decodeText } from './crypto/content-cipher.js';
import type { EntryOpener, Opened } from './crypto/entry-opener.js';
import { readResourceKey } from './crypto/resource-key.js';
import { shareId } from './crypto/share-id.js';
import type { SealedShare } from './documents/scan-shared-keys.js';
import type { SealedEntry } from './documents/sealed-entries.js';
import type { OpenedShare, OpenedShares } from './opened-share.js';
import { canonicalResource } from './resource-address.js';

export interface ShareReader {
  /** Whose inbox it is. */
  webId: string;
  opener: EntryOpener;
  /** What earlier runs have opened. */
  memory: OpenedShares;
  wanted: (url: string) => boolean;
  withModes: boolean;
  signal: AbortSignal | undefined;
}

/** A share has one value of each kind, and some more when it was written to twice at once. */
const MOST_USUAL = 4;
/** One for each thread, and one that is ready when a thread is. */
const BATCHES_AT_ONCE = availableParallelism() + 1;

/**
 * What each share says, in the order of the entries. Each is opened once: what is remembered of
 * the last time is used, and what was opened before an abort is not lost.
 */
export async function openShares(
  entries: readonly SealedEntry[],
  reader: ShareReader,
): Promise<OpenedShare[]> {
  const { memory, opener, signal } = reader;
  const opened = new Array<OpenedShare | undefined>(entries.length);
  const unknown: number[] = [];
  let remembered = 0;
  const breathe = createBreather(signal);
  for (const [index, { name }] of entries.entries()) {
    await breathe();
    const known = memory.recall(name);
    if (known === undefined || !saysEnough(known, reader)) {
      unknown.push(index);
      continue;
    }
    opened[index] = known;
    remembered += known.values;
  }
  if (remembered > 0) opener.tellRemembered(remembered);
  // Entry by entry would leave threads idle; all at once would be a large heap of texts.
  const batches = batchesOf(unknown, opener.pieceOf(unknown.length));
  await mapConcurrently(batches, BATCHES_AT_ONCE, async (batch) => {
    const load = (index: number) => {
      const entry = entries[index];
      const share = entry?.load() ?? null;
      return entry === undefined || share === null ? [] : [{ share, index, name: entry.name }];
    };
    const shares = (await mapWithPauses(batch, load, signal)).flat();
    const answers = await openBatch(
      shares.map(({ share }) => share),
      reader,
    );
    for (const [position, answer] of answers.entries()) {
      const { index, name } = shares[position] ?? {};
      if (index === undefined || name === undefined) continue;
      opened[index] = answer;
      memory.remember(name, answer);
    }
  });
  return opened.filter((share) => share !== undefined);
}

function* batchesOf(indices: readonly number[], size: number): Generator<readonly number[]> {
  for (let start = 0; start < indices.length; start += size) {
    yield indices.slice(start, start + size);
  }
}

/** Whether a share was asked at least as much as now. */
function saysEnough(share: OpenedShare, { wanted, withModes }: ShareReader): boolean {
  if ('problem' in share) return true;
  return (share.keys !== null && (share.modes !== null || !withModes)) || !wanted(share.url);
}

async function openBatch(
  shares: readonly SealedShare[],
  reader: ShareReader,
): Promise<OpenedShare[]> {
  const { wanted, withModes, signal } = reader;
  const paths = await openAll(shares, (share) => share.paths, reader);
  const address = (share: SealedShare, index: number) => {
    const found = findAddress(share, paths[index] ?? [], reader.webId);
    return { share, address: found, isOpen: 'url' in found && wanted(found.url) };
  };
  const addressed = await mapWithPauses(shares, address, signal);
  const chosen = addressed.filter(({ isOpen }) => isOpen).map(({ share }) => share);
  const keys = (await openAll(chosen, (share) => share.keys, reader)).values();
  const modes = withModes
    ? (await openAll(chosen, (share) => share.accessLists, reader)).values()
    : null;
  const tell = ({ share, address, isOpen }: (typeof addressed)[number]): OpenedShare => {
    const { id } = share;
    if ('problem' in address) return { id, ...address, values: share.paths.length };
    if (!isOpen) return { ...address, keys: null, modes: null, values: share.paths.length };
    const values = share.paths.length + share.keys.length;
    const usable = readKeys(keys.next().value ?? []);
    const readable = modes === null ? null : readModes(modes.next().value ?? []);
    if (usable.length === 0) return { id, problem: 'holds no key that opens', values };
    return { ...address, keys: usable, modes: readable, values };
  };
  return await mapWithPauses(addressed, tell, signal);
}

function findAddress(
  share: SealedShare,
  openedPaths: readonly Opened[],
  webId: string,
): { url: string; genuine: boolean } | { problem: string } {
  const texts = openedPaths.flatMap((bytes) => (bytes && decodeText(bytes)) ?? []);
  const own = texts.find((text) => shareId(text, webId) === share.id);
  const genuine = own !== undefined;
  if (!genuine && (share.paths.length !== 1 || share.keys.length !== 1)) {
    return { problem: 'does not hold exactly one address and one key' };
  }
  const address = own ?? texts[0];
  if (address === undefined) return { problem: 'does not open' };
  const url = canonicalResource(address);
  return url === null ? { problem: 'names no address of a resource' } : { url, genuine };
}

/**
 * One list of opened values for each share, with everything opened in one go. Who writes thousands
 * of values into one share and adds one before every analysis has each of them opened once.
 */
async function openAll(
  shares: readonly SealedShare[],
  pick: (share: SealedShare) => readonly string[],
  { opener, signal }: ShareReader,
): Promise<Opened[][]> {
  const isCrowded = (share: SealedShare) => pick(share).length > MOST_USUAL;
  const [usual, crowded] = await Promise.all([
    opener.open(shares.filter((share) => !isCrowded(share)).flatMap(pick), { signal }),
    opener.open(shares.filter(isCrowded).flatMap(pick), { signal, remember: true }),
  ]);
  const [ofUsual, ofCrowded] = [usual.values(), crowded.values()];
  return shares.map((share) => {
    const values = isCrowded(share) ? ofCrowded : ofUsual;
    return pick(share).map(() => values.next().value ?? null);
  });
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
