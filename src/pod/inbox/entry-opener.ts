import { hash, type KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { mapConcurrently } from '../../base/concurrency.js';
import { chunksOf } from '../../base/lists.js';
import { openValue } from '../crypto/rsa.js';

/** Up to this many values are opened on the calling thread, which is quicker than starting another thread. */
const FEW = 24;
/** Values sent to a thread in one message; an abort loses only those in hand. */
const BATCH = 250;
const THREADS = availableParallelism();
const IDLE_MS = 5_000;
/** Bounds memory, since anybody can fill an inbox; further values are opened anew each time. */
const MOST_REMEMBERED = 300_000;

/** Null for a value that does not open. */
export type Opened = Buffer | null;

/** Given with each task rather than to the pool, so that a file that cannot be loaded fails only one task. */
const openingTask = {
  filename: new URL(`./open-values-worker${extname(import.meta.url)}`, import.meta.url).href,
  name: 'openValues',
};

/**
 * Opens sealed values, many of them on all cores and away from the event loop. Remembers their contents by ciphertext,
 * as long as the inbox holds them. So each value that is added to an inbox is opened once.
 */
export class EntryOpener {
  /** Contents as text, because a buffer for each would take a kilobyte more. */
  #asked = new Map<string, string | null>();
  #askedBefore = new Map<string, string | null>();
  #threads: Piscina<string[], (Uint8Array | null)[]> | null = null;

  constructor(
    private readonly privateKey: KeyObject,
    /** Called with the number of values that were opened. */
    private readonly onOpened: (count: number) => void = () => undefined,
  ) {}

  /** Forgets the values that were not asked for since the last call. */
  forgetUnasked(): void {
    this.#askedBefore = this.#asked;
    this.#asked = new Map();
  }

  /** Returns one result for each value, in order. */
  async open(sealed: readonly string[], signal?: AbortSignal): Promise<Opened[]> {
    const names = sealed.map((value) => hash('sha256', value, 'base64'));
    const unknown = new Map<string, string>();
    const answers = new Map<string, string | null>();
    const remember = (name: string, opened: string | null) => {
      answers.set(name, opened);
      if (this.#asked.size < MOST_REMEMBERED) this.#asked.set(name, opened);
    };
    for (const [index, name] of names.entries()) {
      const known = (this.#asked.has(name) ? this.#asked : this.#askedBefore).get(name);
      if (known === undefined) unknown.set(name, sealed[index] ?? '');
      else remember(name, known);
    }
    const isFew = unknown.size <= FEW;
    await mapConcurrently(chunksOf([...unknown], BATCH), THREADS, async (batch) => {
      signal?.throwIfAborted();
      const values = batch.map(([, value]) => value);
      const opened = isFew
        ? values.map((value) => openValue(value, this.privateKey))
        : await this.#start().run(values, openingTask);
      for (const [index, [name]] of batch.entries()) {
        const bytes = opened[index];
        remember(name, bytes ? Buffer.from(bytes).toString('latin1') : null);
      }
      this.onOpened(batch.length);
    });
    return names.map((name) => {
      const text = answers.get(name) ?? null;
      return text === null ? null : Buffer.from(text, 'latin1');
    });
  }

  async dispose(): Promise<void> {
    this.#asked.clear();
    this.#askedBefore.clear();
    const threads = this.#threads;
    this.#threads = null;
    await threads?.destroy();
  }

  #start(): Piscina<string[], (Uint8Array | null)[]> {
    if (this.#threads !== null) return this.#threads;
    this.#threads = new Piscina({
      workerData: this.privateKey,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
      env: {},
      // Opened values live briefly; by default each thread would let tens of megabytes of them gather.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    // Without a listener, a thread that dies between two tasks would end the process.
    this.#threads.on('error', () => undefined);
    return this.#threads;
  }
}
