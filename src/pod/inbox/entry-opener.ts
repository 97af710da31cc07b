import { hash, type KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { mapConcurrently } from '../../base/concurrency.js';
import { chunksOf } from '../../base/lists.js';
import { openValue } from '../crypto/rsa.js';

/** Up to this many values are opened on the calling thread, which is quicker than starting another thread. */
const FEW = 24;
/** Values opened as one piece; an abort loses only the piece in hand. */
const PIECE = 10_000;
/** Bounds memory, since anybody can fill an inbox; further values are opened anew each time. */
const MOST_REMEMBERED = 300_000;

/** Null for a value that does not open. */
export type Opened = Buffer | null;

export interface EntryOpenerOptions {
  onAsked?: (remembered: number, opened: number) => void;
}

/**
 * Opens sealed values and remembers their contents by ciphertext, as long as the inbox holds them. So each
 * value that is added to an inbox is opened once.
 */
export class EntryOpener {
  readonly #threads: OpeningThreads;
  /** Contents as text, because a buffer for each would take a kilobyte more. */
  #asked = new Map<string, string | null>();
  #askedBefore = new Map<string, string | null>();

  constructor(
    private readonly privateKey: KeyObject,
    private readonly options: EntryOpenerOptions = {},
  ) {
    this.#threads = new OpeningThreads(privateKey);
  }

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
    for (const [index, name] of names.entries()) {
      const known = (this.#asked.has(name) ? this.#asked : this.#askedBefore).get(name);
      if (known === undefined) unknown.set(name, sealed[index] ?? '');
      else this.#remember(answers, name, known);
    }
    const values = [...unknown];
    for (const piece of chunksOf(values, PIECE)) {
      signal?.throwIfAborted();
      const opened = await this.#openNew(
        piece.map(([, value]) => value),
        signal,
      );
      for (const [index, [name]] of piece.entries()) {
        this.#remember(answers, name, opened[index]?.toString('latin1') ?? null);
      }
      this.options.onAsked?.(0, piece.length);
    }
    this.options.onAsked?.(names.length - values.length, 0);
    return names.map((name) => {
      const text = answers.get(name) ?? null;
      return text === null ? null : Buffer.from(text, 'latin1');
    });
  }

  async dispose(): Promise<void> {
    this.#asked.clear();
    this.#askedBefore.clear();
    await this.#threads.dispose();
  }

  #remember(answers: Map<string, string | null>, name: string, opened: string | null): void {
    answers.set(name, opened);
    if (this.#asked.size < MOST_REMEMBERED) this.#asked.set(name, opened);
  }

  async #openNew(values: string[], signal?: AbortSignal): Promise<Opened[]> {
    if (values.length <= FEW) return values.map((value) => openValue(value, this.privateKey));
    return await this.#threads.open(values, signal);
  }
}

/** Values sent to a thread in one message. */
const BATCH = 250;
const THREADS = availableParallelism();
const IDLE_MS = 5_000;

/** Given with each task rather than to the pool, so that a file that cannot be loaded fails only one task. */
const openingTask = {
  filename: new URL(`./open-values-worker${extname(import.meta.url)}`, import.meta.url).href,
  name: 'openValues',
};

/** Opens sealed values on all cores, away from the event loop. */
class OpeningThreads {
  #threads: Piscina<string[], (Uint8Array | null)[]> | null = null;

  constructor(private readonly privateKey: KeyObject) {}

  /** Returns one result for each value, in order; null for a value that does not open. */
  async open(values: readonly string[], signal?: AbortSignal): Promise<(Buffer | null)[]> {
    const threads = this.#start();
    const opened = await mapConcurrently(chunksOf(values, BATCH), THREADS, (batch) => {
      signal?.throwIfAborted();
      return threads.run(batch, openingTask);
    });
    return opened.flat().map((bytes) => bytes && Buffer.from(bytes));
  }

  async dispose(): Promise<void> {
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
