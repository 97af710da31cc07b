import { join } from 'node:path';
import { Journal } from './journal.js';
import { decodeRecord, encodeRecord, type LedgerRecord } from './ledger-records.js';
import { createLedgerSeal, type LedgerSeal } from './ledger-seal.js';
import { type KeptShare, LedgerState } from './ledger-state.js';

/** What an analysis found out about shares. Addresses are canonical; `root` is that of the Pod. */
export interface LedgerNews {
  /** Shares that were read, with the key that opened them. */
  read: Iterable<KeptShare & { root: string }>;
  /** Addresses of shares that have ended. */
  ended: Iterable<string>;
  /** Every key that opened a file, with the Pod of the file. */
  opened: Iterable<{ key: Buffer; root: string }>;
}

/** Sealed records that several machines share, as a set that only grows. */
export interface SharedRecords {
  /** Records from others since the last time; a set that was lost is filled with `ownRecords` again. */
  fetch(ownRecords: () => Buffer[]): Promise<Buffer[]>;
  add(records: readonly Buffer[]): Promise<void>;
}

export interface LedgerOptions {
  /** The most records about one Pod, which has one or two for each file. */
  mostPerPod?: number;
  shared?: SharedRecords | null;
}

export const LEDGER_FILE = 'shares.journal';
const MOST_PER_POD = 100_000;
/** Records that are sealed and written at once; what is sealed takes several times its size until then. */
const PIECE = 5_000;
/** Records that no longer count are tolerated up to this number before a rewrite. */
const SPARE_RECORDS = 1_000;

/**
 * Keeps shares that have been read, and whose key is whose. Everybody can write to the inbox, so a
 * missing entry proves nothing: a share counts on until the server or its key says otherwise.
 */
export class ShareLedger {
  readonly #journal: Journal;
  readonly #seal: LedgerSeal;
  readonly #mostPerPod: number;
  readonly #shared: SharedRecords | null;
  #state: LedgerState;
  #stored = 0;
  /** Records from others that are not in the file yet. */
  readonly #received: Buffer[] = [];
  /** Why the file has to be set aside before anything is written; null when it is sound. */
  #fault: 'damaged' | 'foreign' | null = null;

  constructor(folder: string, masterKey: Buffer, options: LedgerOptions = {}) {
    this.#journal = new Journal(join(folder, LEDGER_FILE));
    this.#seal = createLedgerSeal(masterKey);
    this.#mostPerPod = options.mostPerPod ?? MOST_PER_POD;
    this.#shared = options.shared ?? null;
    this.#state = new LedgerState(this.#seal);
  }

  /** Takes in records of this and other processes; writes nothing. Returns warnings. */
  async refresh(): Promise<string[]> {
    const { records, isNew, isDamaged } = await this.#journal.read();
    if (isNew) {
      this.#state = new LedgerState(this.#seal);
      this.#stored = 0;
      this.#fault = null;
    }
    const opened = this.#apply(records);
    this.#stored += opened;
    const isForeign = this.#stored === 0 && (records.length > 0 || isDamaged);
    if (isForeign) this.#fault = 'foreign';
    else if (isDamaged || opened < records.length) this.#fault = 'damaged';
    const received = (await this.#shared?.fetch(() => this.#sealed(this.#state.records()))) ?? [];
    this.#apply(received);
    this.#received.push(...received);
    return this.#fault === null ? [] : [describe(this.#fault, this.#journal.path)];
  }

  shares(): Iterable<KeptShare> {
    return this.#state.shares();
  }

  find(url: string): KeptShare | null {
    return this.#state.find(url);
  }

  /** Whether a key is known to belong to another Pod, or is claimed by several. */
  isForeign(key: Buffer, { url, root }: { url: string; root: string }): boolean {
    const keyTag = this.#state.keyTag(key);
    const owners = this.#state.ownersOf(keyTag);
    if (owners.length === 0) return false;
    if (owners.length > 1) return true;
    // A file that the key opened before stays its file, even if its Pod is seen differently today.
    return owners[0] !== this.#podTag(root) && this.#state.lastKeyTag(url) !== keyTag;
  }

  /** On the disk when it resolves. Returns the roots of Pods that were too large to keep entirely. */
  async record({ read, ended, opened }: LedgerNews): Promise<Set<string>> {
    const stamp = this.#state.nextStamp;
    const full = new Set<string>();
    const records: LedgerRecord[] = [];
    const add = (record: LedgerRecord) => {
      records.push(record);
      this.#state.apply(record);
    };
    const addUnlessFull = (root: string, record: LedgerRecord) => {
      if (this.#state.sizeOf(record.pod) < this.#mostPerPod) add(record);
      else full.add(root);
    };
    for (const { url, spelling, key, root } of read) {
      const known = this.#state.find(url);
      if (known !== null && isSame(known.key, key) && known.spelling === spelling) continue;
      addUnlessFull(root, { kind: 'share', stamp, pod: this.#podTag(root), url, spelling, key });
    }
    for (const { key, root } of opened) {
      const [pod, keyTag] = [this.#podTag(root), this.#state.keyTag(key)];
      if (this.#state.ownersOf(keyTag).includes(pod)) continue;
      addUnlessFull(root, { kind: 'claim', stamp, pod, keyTag });
    }
    for (const url of ended) for (const record of this.#state.endings(stamp, [url])) add(record);
    await this.#write(records);
    return full;
  }

  /**
   * Forgets the shares of one Pod, or of all for null; returns how many those were. Its claims on keys
   * that others claim as well are taken back. Digests of its own keys stay, so that nobody can use
   * copies of its files, unless everything is forgotten.
   */
  async forget(root: string | null): Promise<number> {
    const stamp = this.#state.nextStamp;
    const pod = root === null ? null : this.#podTag(root);
    const meant = [...this.#state.shares()].filter((share) => pod === null || share.pod === pod);
    const urls = meant.map(({ url }) => url);
    const records = [...this.#state.endings(stamp, urls), ...this.#state.releases(stamp, pod)];
    for (const record of records) this.#state.apply(record);
    await this.#write(records, { anew: true });
    return meant.length;
  }

  async #write(news: readonly LedgerRecord[], { anew = false } = {}): Promise<void> {
    const isCrowded = this.#stored > SPARE_RECORDS + 2 * this.#state.size;
    if (this.#fault !== null) {
      const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
      await this.#journal.setAside(`${this.#fault}-${time}`);
    }
    const isRewritten = this.#fault !== null || anew || isCrowded;
    if (isRewritten) {
      this.#received.splice(0);
      const all = this.#sealed(this.#state.records());
      if (all.length > 0 || anew) await this.#journal.rewrite(all);
      this.#stored = all.length;
      this.#fault = null;
    } else {
      await this.#append(this.#received.splice(0));
    }
    for (let start = 0; start < news.length; start += PIECE) {
      const sealed = this.#sealed(news.slice(start, start + PIECE));
      if (!isRewritten) await this.#append(sealed);
      await this.#shared?.add(sealed);
    }
  }

  async #append(sealed: readonly Buffer[]): Promise<void> {
    await this.#journal.append(sealed);
    this.#stored += sealed.length;
  }

  #apply(records: readonly Buffer[]): number {
    let opened = 0;
    for (const sealed of records) {
      const bytes = this.#seal.open(sealed);
      if (bytes === null) continue;
      opened += 1;
      const record = decodeRecord(bytes);
      if (record !== null) this.#state.apply(record);
    }
    return opened;
  }

  #sealed(records: Iterable<LedgerRecord>): Buffer[] {
    return Array.from(records, (record) => this.#seal.seal(encodeRecord(record)));
  }

  #podTag(root: string): string {
    return this.#seal.tag('pod', root);
  }
}

function isSame(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

function describe(fault: 'damaged' | 'foreign', path: string): string {
  const reason =
    fault === 'foreign'
      ? 'it does not open with the security key of this Analyser, so nothing of it counts'
      : 'a part of it is damaged, and what could be read of it counts';
  return `${path}: ${reason}. Shares that it kept and whose entries are gone from the inbox count again once their owners share them anew. The file is kept beside, as ${LEDGER_FILE}.${fault}-…; restore it from a backup if you have one.`;
}
