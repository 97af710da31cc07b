import { DAY_MS } from '../../../src/base/utc-time.js';
import { parentFolder } from '../../../src/pod/addresses.js';
import { buildEncryptedResource } from '../../../src/pod/formats/encrypted-resource.js';
import { filesOf, keyOf } from '../../../src/run/table/row.js';
import { encryptAt } from '../../support/encrypt-at.js';
import { type Entry, idOf } from './inbox.js';
import type { HonestEvent, Plan } from './plan.js';
import type { Access, StoredFile } from './storage.js';
import { ANALYSER, type Analysis, APP, HOME, keyNamed, type World } from './world.js';

/** They contribute all along and do the same at the same time. */
export const HONEST = [`${HOME}/vera/`, `${HOME}/will/`];

export function dataOf(root: string): string {
  return `${root}${APP}/data/blood_pressure/`;
}

/** In hundredths; texts of equal length for values of equal length. */
export function readingText(systolic: number, day: number, heartRate: number | null = 70): string {
  const time = new Date((day + 1 / 3) * DAY_MS).toISOString();
  const rate = heartRate === null ? '' : `,"heart_rate":${heartRate}`;
  const value = (systolic / 100).toFixed(2);
  return `{"timestamp":"${time}","responses":{"systolic":${value},"diastolic":80${rate}}}`;
}

interface Sealing {
  url: string;
  root: string;
  key: Buffer;
  /** Whether it says that it has the key of its folder. */
  inherits?: boolean;
}

export function sealed(text: string, { url, root, key, inherits = false }: Sealing): string {
  const iv = keyNamed(`iv ${url}`).subarray(0, 16);
  const content = encryptAt(Buffer.from(iv), text, key);
  const inheritKeyFrom = inherits ? dataOf(root).slice(root.length) : null;
  return buildEncryptedResource(url, root, { content, inheritKeyFrom });
}

export class HonestPods {
  /** Entries of theirs, as they wrote them last. */
  readonly #entries = new Map<string, Entry>();
  /** The files that were read, and their folders, each with the keys that opened it or a file in it. */
  readonly #opening = new Set<string>();
  readonly #access: Access;
  #recorded = 0;
  #rewritten = 0;
  #hasLeft = false;
  #sharesFolder: boolean;

  constructor(
    private readonly world: World,
    private readonly plan: Pick<
      Plan,
      'layout' | 'listing' | 'isNested' | 'isPublic' | 'mayWrite' | 'hasHeartRate'
    >,
    /** Whether each has the readings of the other. */
    private readonly isSwapped: boolean,
  ) {
    const readable = plan.isPublic ? 'everybody' : 'analyser';
    this.#access = plan.mayWrite && !plan.isPublic ? 'analyser writes' : readable;
    this.#sharesFolder = plan.layout === 'folder' || plan.layout === 'both';
    for (const root of HONEST) {
      const folder = dataOf(root);
      const ofShared = plan.listing === 'everybody' ? 'everybody' : readable;
      world.storage.folders.set(folder, this.#sharesFolder ? ofShared : plan.listing);
      if (this.#sharesFolder) this.#share(folder, keyNamed(folder));
    }
  }

  /** How many files each has recorded. */
  get recorded(): number {
    return this.#recorded;
  }

  record(values: readonly [number, number]): void {
    if (this.#hasLeft) return;
    const index = this.#recorded;
    this.#put(index, values);
    if (this.plan.isNested && index === 0) {
      for (const [root, value] of this.#valuesByRoot(values)) {
        const key = this.#keyOf(root, index);
        for (const url of twinsOf(root)) {
          this.#write({ url, root, key, inherits: this.#inherits(index) }, value);
          this.#share(url, key);
        }
      }
    }
    this.#recorded += 1;
  }

  /** What happens to both; the result ends what lasts for one analysis. */
  happen(event: HonestEvent, earlier: World['memory'] | null): () => void {
    const { world } = this;
    switch (event) {
      case 'all silent':
        return this.#silence(() => true);
      case 'half silent':
        return this.#silence((index) => index % 2 === 0);
      case 'rewrite with another key':
        this.#rewrite();
        break;
      case 'take one back':
        // Not the last, which can be new: a withdrawal is of what was read.
        this.#takeBack((url) => HONEST.some((root) => url === fileOf(root, this.#recorded - 2)));
        break;
      case 'take the folder back':
        return this.#takeFoldersBack();
      case 'forgotten':
        for (const root of HONEST) world.forget(root);
        this.#shareAgain();
        break;
      case 'memory put back':
        // Whose key is whose is older then as well: copies that came since are not told apart.
        if (earlier === null || this.plan.isPublic) break;
        world.memory = { ...earlier, withheld: 'it is older than the one seen before' };
        this.#shareAgain();
        break;
      case 'leave':
        this.#hasLeft = true;
        this.#takeBack((url) => HONEST.some((root) => url.startsWith(root)));
        for (const root of HONEST) world.storage.folders.delete(dataOf(root));
        break;
      case 'stay':
    }
    return () => undefined;
  }

  /**
   * Whether strangers may take an entry away: those of shares that were not read yet, and of files that
   * everybody may read, are the limits that docs/threat-model.md names.
   */
  mayGo(id: string): boolean {
    const own = this.#entries.get(id);
    if (own === undefined) return true;
    return !this.plan.isPublic && this.#isKnown(own);
  }

  /** Whether everybody can read its ciphertext, and it was read. */
  mayBeCopied(url: string): boolean {
    const own = [url, url.replace(/[^/]*$/, '')].flatMap(
      (spelling) => this.#entries.get(idOf(spelling, ANALYSER)) ?? [],
    );
    return this.plan.isPublic && own.length > 0 && own.every((entry) => this.#isKnown(entry));
  }

  /** To be called when what an analysis has read is remembered. */
  noteRead({ readings }: Pick<Analysis, 'readings'>): void {
    for (const file of readings.flatMap(filesOf)) {
      for (const url of [file.url, parentFolder(file.url)]) {
        this.#opening.add(`${url} ${keyText(keyOf(file))}`);
      }
    }
  }

  /** Whether its share was read with the key that it has now. */
  #isKnown({ spelling, keys }: Entry): boolean {
    const pods = [...this.world.memory.pods.values()];
    return (
      pods.some(({ shares, folders }) => shares.has(spelling) || folders.has(spelling)) &&
      keys.some((key) => this.#opening.has(`${spelling} ${keyText(key)}`))
    );
  }

  #valuesByRoot([one, other]: readonly [number, number]): [string, number][] {
    const values = this.isSwapped ? [other, one] : [one, other];
    return HONEST.map((root, index) => [root, values[index] ?? 0]);
  }

  #write(sealing: Sealing, value: number): void {
    const text = readingText(value, this.world.day, this.plan.hasHeartRate ? 70 : null);
    this.world.storage.put(sealing.url, sealed(text, sealing), this.#access);
  }

  #share(url: string, key: Buffer): void {
    const id = idOf(url, ANALYSER);
    const entry = { spelling: url, keys: [key] };
    this.#entries.set(id, entry);
    this.world.inbox.set(id, entry);
  }

  /** What strangers took out of the inbox is gone with the memory of it. */
  #shareAgain(): void {
    const { inbox } = this.world;
    this.#opening.clear();
    for (const [id, entry] of this.#entries) inbox.set(id, entry);
  }

  /** Their folder, or a file that is shared by itself, gets other content under another key, with a new entry. */
  #rewrite(): void {
    const { layout } = this.plan;
    const isTakenBack = (layout === 'folder' || layout === 'both') && !this.#sharesFolder;
    if (this.#hasLeft || isTakenBack) return;
    this.#rewritten += 1;
    for (let index = 0; index < this.#recorded; index += 1) {
      const value = 10_000 + this.#rewritten + index;
      if (this.#inherits(index) || index === 1) this.#put(index, [value, value + 5_000]);
    }
    if (!this.#sharesFolder) return;
    for (const root of HONEST) this.#share(dataOf(root), this.#folderKey(root));
  }

  #inherits(index: number): boolean {
    const { layout } = this.plan;
    if (layout === 'named') return true;
    return this.#sharesFolder && (layout === 'folder' || index % 3 !== 0);
  }

  #put(index: number, values: readonly [number, number]): void {
    const inherits = this.#inherits(index);
    const { layout } = this.plan;
    const isSharedAlone = !inherits || layout === 'named' || (layout === 'both' && index % 3 === 2);
    for (const [root, value] of this.#valuesByRoot(values)) {
      const url = fileOf(root, index);
      const key = this.#keyOf(root, index);
      this.#write({ url, root, key, inherits }, value);
      if (isSharedAlone) this.#share(url, key);
    }
  }

  #keyOf(root: string, index: number): Buffer {
    if (this.#inherits(index)) return this.#folderKey(root);
    const url = fileOf(root, index);
    return keyNamed(index === 1 && this.#rewritten > 0 ? `${url} ${this.#rewritten}` : url);
  }

  #folderKey(root: string): Buffer {
    return keyNamed(this.#rewritten > 0 ? `${dataOf(root)} ${this.#rewritten}` : dataOf(root));
  }

  #takeBack(isTaken: (url: string) => boolean): void {
    for (const [url, file] of this.world.storage.files) if (isTaken(url)) file.access = 'closed';
    for (const [id, { spelling }] of this.#entries) {
      if (!isTaken(spelling)) continue;
      this.#entries.delete(id);
      this.world.inbox.delete(id);
    }
  }

  /** What has no entry of its own goes with its folder; the second file gives no answer meanwhile. */
  #takeFoldersBack(): () => void {
    if (!this.#sharesFolder || this.plan.isPublic) return () => undefined;
    const { files, folders } = this.world.storage;
    this.#sharesFolder = false;
    for (const root of HONEST) {
      const folder = dataOf(root);
      const isAlone = (url: string) => this.#entries.has(idOf(url, ANALYSER));
      folders.set(folder, 'closed');
      this.#takeBack((url) => url === folder || (url.startsWith(folder) && !isAlone(url)));
    }
    const silent = HONEST.flatMap((root) => files.get(fileOf(root, 1)) ?? []);
    for (const file of silent) file.access = 'silent';
    return () => {
      for (const file of silent) file.access = 'closed';
    };
  }

  #silence(isSilent: (index: number) => boolean): () => void {
    const before = new Map<StoredFile, Access>();
    for (const root of HONEST) {
      const files = [...this.world.storage.files].filter(([url]) => url.startsWith(root));
      for (const [index, [, file]] of files.entries()) {
        before.set(file, file.access);
        if (isSilent(index) && file.access !== 'closed') file.access = 'silent';
      }
    }
    return () => {
      for (const [file, access] of before) file.access = access;
    };
  }
}

function keyText(key: Buffer | null): string {
  return key?.toString('hex') ?? '';
}

/** With the key of the first file. */
function twinsOf(root: string): string[] {
  return ['further/in', 'twin'].map((name) => `${dataOf(root)}${name}.json.enc.ttl`);
}

export function fileOf(root: string, index: number): string {
  return `${dataOf(root)}bp_${index}.json.enc.ttl`;
}
