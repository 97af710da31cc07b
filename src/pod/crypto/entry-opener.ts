import { hash, type KeyObject } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { createBreather } from '../breathe.js';
import { openValue } from './rsa.js';

/** So few are opened on the calling thread: a few milliseconds, less than starting a thread. */
const FEW = 24;
/** Values that go to a thread in one message. */
const BATCH = 250;
/** Anybody can fill an inbox; what comes beyond this is opened anew in every run. */
const MOST_REMEMBERED = 200_000;
const THREADS = availableParallelism();
const IDLE_MS = 5_000;

/** Named for each task and not for the pool, a file that cannot be loaded fails that task alone. */
const openValues = {
  filename: new URL(`./open-values-worker${extname(import.meta.url)}`, import.meta.url).href,
  name: 'openValues',
};

/** Null: does not open. */
type Opened = Buffer | null;

/**
 * Opens sealed values away from the event loop, each only once: a value in an inbox never
 * changes, so its content is remembered by its ciphertext until a run no longer asks for it.
 */
export class EntryOpener {
  readonly #privateKey: KeyObject;
  readonly #onAsked: (remembered: number, opened: number) => void;
  #threads: Piscina<string[], (Uint8Array | null)[]> | null = null;
  #current = new Map<string, Opened>();
  #previous = new Map<string, Opened>();

  constructor(
    privateKey: KeyObject,
    onAsked: (remembered: number, opened: number) => void = () => undefined,
  ) {
    this.#privateKey = privateKey;
    this.#onAsked = onAsked;
  }

  /** What was not asked for since the last start is forgotten. */
  startRun(): void {
    this.#previous = this.#current;
    this.#current = new Map();
  }

  /** One answer per value, in order. */
  async open(sealed: readonly string[], signal?: AbortSignal): Promise<Opened[]> {
    const breathe = createBreather(signal);
    const answers = new Array<Opened>(sealed.length).fill(null);
    const unknown: { value: string; name: string; index: number }[] = [];
    for (const [index, value] of sealed.entries()) {
      const name = hash('sha256', value, 'base64');
      const known = this.#recall(name);
      if (known === undefined) unknown.push({ value, name, index });
      else answers[index] = known;
      await breathe();
    }
    const values = unknown.map((item) => item.value);
    for (const [position, opened] of (await this.#openAll(values, signal)).entries()) {
      const item = unknown[position];
      if (item === undefined) continue;
      answers[item.index] = opened;
      this.#remember(item.name, opened);
    }
    this.#onAsked(sealed.length - unknown.length, unknown.length);
    return answers;
  }

  async dispose(): Promise<void> {
    this.#current.clear();
    this.#previous.clear();
    const threads = this.#threads;
    this.#threads = null;
    await threads?.destroy();
  }

  #recall(name: string): Opened | undefined {
    const memory = this.#current.has(name) ? this.#current : this.#previous;
    const known = memory.get(name);
    if (known !== undefined) this.#remember(name, known);
    return known;
  }

  #remember(name: string, opened: Opened): void {
    if (this.#current.size < MOST_REMEMBERED) this.#current.set(name, opened);
  }

  async #openAll(values: string[], signal?: AbortSignal): Promise<Opened[]> {
    if (values.length <= FEW) return values.map((value) => openValue(value, this.#privateKey));
    const threads = this.#startThreads();
    const opened = new Array<Opened>(values.length).fill(null);
    let next = 0;
    const work = async () => {
      while (next < values.length) {
        signal?.throwIfAborted();
        const start = next;
        next += BATCH;
        const answers = await threads.run(values.slice(start, next), openValues);
        for (const [offset, bytes] of answers.entries()) {
          opened[start + offset] = bytes === null ? null : Buffer.from(bytes);
        }
      }
    };
    await Promise.all(Array.from({ length: THREADS }, work));
    return opened;
  }

  #startThreads(): Piscina<string[], (Uint8Array | null)[]> {
    if (this.#threads !== null) return this.#threads;
    this.#threads = new Piscina({
      workerData: this.#privateKey,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_MS,
      env: {},
      // What is opened is short-lived; by default each thread would let tens of megabytes gather.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    // A thread that dies between two tasks would take the process along.
    this.#threads.on('error', () => undefined);
    return this.#threads;
  }
}
