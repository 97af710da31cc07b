import { hash, type KeyObject } from 'node:crypto';
import { createBreather } from '../../base/breathe.js';
import { RecentMemory } from '../recent-memory.js';
import { OpeningThreads } from './opening-threads.js';
import { openValue } from './rsa.js';

/** So few are opened on the calling thread: a few milliseconds, less than starting a thread. */
const FEW = 24;
/** So many are worth being shared out, where there is somebody to share with. */
const MANY = 2_000;
/** A good piece of work for a thread of this process, and for all threads of several. */
const PIECE = 100;
const LARGE_PIECE = 10_000;
const MOST_REMEMBERED = 200_000;

/** Null: does not open. */
export type Opened = Buffer | null;

/** One answer per value, in order. */
export type OpenValues = (sealed: string[], signal?: AbortSignal) => Promise<Opened[]>;

export interface OpenOptions {
  signal?: AbortSignal | undefined;
  /** For values that are asked for again, by a caller that does not remember them. */
  remember?: boolean;
}

export interface EntryOpenerOptions {
  onAsked?: (remembered: number, opened: number) => void;
  /** Opens many at once; null or none: threads of this process do. */
  openValues?: OpenValues | null;
}

/**
 * Opens sealed values away from the event loop. A value never changes, so its content can be
 * remembered by its ciphertext, until a whole run has not asked for it.
 */
export class EntryOpener {
  readonly #privateKey: KeyObject;
  readonly #onAsked: (remembered: number, opened: number) => void;
  readonly #openElsewhere: OpenValues | null;
  readonly #threads: OpeningThreads;
  readonly #memory = new RecentMemory<Opened>(MOST_REMEMBERED);

  constructor(privateKey: KeyObject, { onAsked, openValues }: EntryOpenerOptions = {}) {
    this.#privateKey = privateKey;
    this.#onAsked = onAsked ?? (() => undefined);
    this.#threads = new OpeningThreads(privateKey);
    this.#openElsewhere = openValues ?? null;
  }

  /** What was not asked for since the last end is forgotten. */
  endRun(): void {
    this.#memory.endRun();
  }

  /** Of values that somebody else remembers. */
  tellRemembered(count: number): void {
    this.#onAsked(count, 0);
  }

  /** How many values are best opened in one go, when there are so many in all. */
  pieceOf(values: number): number {
    return this.#openElsewhere !== null && values >= MANY ? LARGE_PIECE : PIECE;
  }

  /** One answer per value, in order. */
  async open(
    sealed: readonly string[],
    { signal, remember = false }: OpenOptions = {},
  ): Promise<Opened[]> {
    if (sealed.length === 0) return [];
    if (remember) return await this.#openNew(sealed, signal);
    const answers = await this.#openAll([...sealed], signal);
    this.#onAsked(0, sealed.length);
    return answers;
  }

  async #openNew(sealed: readonly string[], signal?: AbortSignal): Promise<Opened[]> {
    const breathe = createBreather(signal);
    const answers = new Array<Opened>(sealed.length).fill(null);
    const unknown: { value: string; name: string; index: number }[] = [];
    for (const [index, value] of sealed.entries()) {
      const name = hash('sha256', value, 'base64');
      const known = this.#memory.recall(name);
      if (known === undefined) unknown.push({ value, name, index });
      else answers[index] = known;
      await breathe();
    }
    const values = unknown.map((item) => item.value);
    for (const [position, opened] of (await this.#openAll(values, signal)).entries()) {
      const item = unknown[position];
      if (item === undefined) continue;
      answers[item.index] = opened;
      this.#memory.remember(item.name, opened);
    }
    this.#onAsked(sealed.length - unknown.length, unknown.length);
    return answers;
  }

  async dispose(): Promise<void> {
    this.#memory.clear();
    await this.#threads.dispose();
  }

  async #openAll(values: string[], signal?: AbortSignal): Promise<Opened[]> {
    if (values.length <= FEW) return values.map((value) => openValue(value, this.#privateKey));
    const isMany = values.length >= MANY;
    if (isMany && this.#openElsewhere !== null) return await this.#openElsewhere(values, signal);
    return await this.#threads.open(values, signal);
  }
}
