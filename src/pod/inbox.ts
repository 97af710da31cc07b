import { hash, type KeyObject } from 'node:crypto';
import { setImmediate as letOthersWork } from 'node:timers/promises';
import { groupBy, present } from '../base/lists.js';
import { WarningList } from '../base/warning-list.js';
import { type SolidClient, stoppedBy } from '../solid/solid-client.js';
import { canonicalResource } from './addresses.js';
import { decodeText, readResourceKey } from './crypto/content-cipher.js';
import { couldBeSealed, openValue } from './crypto/rsa.js';
import {
  fetchSharedKeys,
  parseSealedEntries,
  type SealedEntry,
  shareId,
} from './formats/shared-keys.js';
import type { UnlockedPod } from './unlock-pod.js';

/** Values opened before other work gets its chance: some ten milliseconds of RSA. */
const AT_A_STRETCH = 32;
/** Bounds memory, since anybody can fill an inbox; further values are opened anew each time. */
const MOST_REMEMBERED = 300_000;

/** Remembers what it opened, so that each value that is added to an inbox is opened once. */
export class EntryOpener {
  /** Contents as text, because a buffer for each would take a kilobyte more. */
  #inThisReading = new Map<string, string | null>();
  #inTheLast = new Map<string, string | null>();
  #opened = 0;

  constructor(
    private readonly privateKey: KeyObject,
    private readonly openOne = openValue,
  ) {}

  /** Forgets the values that an inbox which was read whole does not hold; of one that was cut, what there is no room for. */
  endReading(isWhole: boolean): void {
    const older = isWhole ? [] : this.#inTheLast;
    for (const [name, text] of older) {
      if (this.#inThisReading.size < MOST_REMEMBERED) this.#inThisReading.set(name, text);
    }
    this.#inTheLast = this.#inThisReading;
    this.#inThisReading = new Map();
  }

  /** One result for each value, in order: null for a value that does not open. */
  async open(sealed: readonly string[], signal?: AbortSignal): Promise<(Buffer | null)[]> {
    const contents: (Buffer | null)[] = [];
    for (const value of sealed) {
      if (!couldBeSealed(value, this.privateKey)) {
        contents.push(null);
        continue;
      }
      const name = hash('sha256', value, 'base64');
      let text = (this.#inThisReading.has(name) ? this.#inThisReading : this.#inTheLast).get(name);
      if (text === undefined) {
        if (this.#opened % AT_A_STRETCH === 0) await letOthersWork();
        signal?.throwIfAborted();
        this.#opened += 1;
        text = this.openOne(value, this.privateKey)?.toString('latin1') ?? null;
      }
      if (this.#inThisReading.size < MOST_REMEMBERED) this.#inThisReading.set(name, text);
      contents.push(text === null ? null : Buffer.from(text, 'latin1'));
    }
    return contents;
  }
}

/** All entries about one resource together. */
interface InboxShare {
  /** Canonical; a folder's address ends in a slash. */
  url: string;
  /** At least one key; several when somebody added keys. The keys of genuine entries come first. */
  keys: Buffer[];
  /** Lower case; empty unless asked for. */
  modes: string[];
}

export interface Inbox {
  shares: InboxShare[];
  /** Canonical addresses of shares that are not in view; their keys stay sealed. */
  notInView: string[];
  warnings: string[];
}

/** Holds keys of other people. */
export interface InboxCache {
  /** Used when the server, which is asked every time, sends the same bytes again. */
  last: { fingerprint: string; inbox: Inbox } | null;
}

interface InboxQuestion {
  isInView: (url: string) => boolean;
  /** Why an entry with this spelling of the address is left out; by default no entry is left out. */
  objectionTo?: (url: string, spelling: string) => string | null;
  withModes?: boolean;
  /** Valid for one Pod and one `isInView` only. */
  cache?: InboxCache;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the shares in the inbox of a Pod. Everybody can add to the inbox, so an added entry must not take a genuine
 * entry away. An entry is genuine when its id is the id that the app computes from its address.
 */
export async function readInbox(
  client: SolidClient,
  pod: UnlockedPod,
  opener: EntryOpener,
  {
    isInView,
    objectionTo = () => null,
    withModes = false,
    cache = { last: null },
    signal,
  }: InboxQuestion,
): Promise<Inbox> {
  const inboxUrl = pod.documents.sharedKeys;
  const fetched = await fetchEntries(stoppedBy(client, signal), inboxUrl, cache);
  if ('inbox' in fetched) return fetched.inbox;
  const { fingerprint, entries, useless } = fetched;
  const warnings = new WarningList();
  const warn = (id: string, reason: string) =>
    warnings.add(`an entry ${reason}`, `${inboxUrl}: the entry ${id} ${reason}.`);
  for (const id of useless) warn(id, 'holds nothing that could be opened');
  const notInView = new Set<string>();
  const [genuine, others]: [InboxShare[], InboxShare[]] = [[], []];
  let isWhole = false;
  try {
    for (const entry of entries) {
      const { id, sealedPaths, sealedKeys, sealedAccessLists } = entry;
      const address = addressOf(entry, textsOf(await opener.open(sealedPaths, signal)), pod.webId);
      if ('problem' in address) {
        warn(id, address.problem);
        continue;
      }
      const { url, spelling, isGenuine } = address;
      const objection = objectionTo(url, spelling);
      if (objection !== null) {
        warn(id, objection);
        continue;
      }
      if (!isInView(url)) {
        notInView.add(url);
        continue;
      }
      const opened = await opener.open(sealedKeys, signal);
      const keys = present(opened.map(readResourceKey));
      if (keys.length === 0) {
        warn(id, 'holds no key that opens');
        continue;
      }
      const modes = withModes ? modesIn(textsOf(await opener.open(sealedAccessLists, signal))) : [];
      (isGenuine ? genuine : others).push({ url, keys, modes });
    }
    isWhole = true;
  } finally {
    opener.endReading(isWhole);
  }
  const byUrl = groupBy([...genuine, ...others], ({ url }) => url);
  const inbox = {
    shares: Array.from(byUrl, ([url, parts]) => ({
      url,
      // Copied one after the other: small buffers lie in blocks of 8 kB, beside what was opened together with them.
      keys: distinctKeys(parts.flatMap(({ keys }) => keys)).map((key) => Buffer.from(key)),
      modes: [...new Set(parts.flatMap(({ modes }) => modes))].sort(),
    })),
    notInView: [...notInView],
    warnings: warnings.list(),
  };
  cache.last = { fingerprint, inbox };
  return inbox;
}

/** Only this function holds the whole document, so it is gone from memory when the entries are opened. */
async function fetchEntries(client: SolidClient, url: string, { last }: InboxCache) {
  const body = (await fetchSharedKeys(client, url)) ?? Buffer.alloc(0);
  const fingerprint = hash('sha256', body, 'base64');
  if (last?.fingerprint === fingerprint) return last;
  return { fingerprint, ...(await parseSealedEntries(body, url, client.signal)) };
}

function addressOf(
  { id, sealedPaths, sealedKeys }: SealedEntry,
  opened: readonly string[],
  webId: string,
): { url: string; spelling: string; isGenuine: boolean } | { problem: string } {
  const own = opened.find((text) => shareId(text, webId) === id);
  const isGenuine = own !== undefined;
  if (!isGenuine && (sealedPaths.length !== 1 || sealedKeys.length !== 1)) {
    return { problem: 'does not hold exactly one address and one key' };
  }
  const spelling = own ?? opened[0];
  if (spelling === undefined) return { problem: 'does not open' };
  const url = canonicalResource(spelling);
  return url === null
    ? { problem: 'names no address of a resource' }
    : { url, spelling, isGenuine };
}

function textsOf(opened: readonly (Buffer | null)[]): string[] {
  return present(opened.map((bytes) => bytes && decodeText(bytes)));
}

export function distinctKeys(keys: readonly Buffer[]): Buffer[] {
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

function modesIn(accessLists: readonly string[]): string[] {
  return accessLists
    .flatMap((text) => text.split(','))
    .map((mode) => mode.trim().toLowerCase())
    .filter((mode) => /^[a-z]{1,20}$/.test(mode));
}
