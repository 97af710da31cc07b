import { hash, type KeyObject } from 'node:crypto';
import { openValue } from '../crypto/rsa.js';
import { OpeningThreads } from './opening-threads.js';

/** So few are opened on the calling thread: a few milliseconds, less than starting a thread. */
const FEW = 24;
/** So many are worth being shared out, where there is somebody to share with. */
const MANY = 2_000;
/** What is opened before an abort is not lost, but for the piece in hand. */
const PIECE = 10_000;
/** Anybody can fill an inbox; what comes beyond is opened anew in every run. */
const MOST_REMEMBERED = 300_000;

/** Null: does not open. */
export type Opened = Buffer | null;

/** One answer per value, in order. */
export type OpenValues = (sealed: string[], signal?: AbortSignal) => Promise<Opened[]>;

export interface EntryOpenerOptions {
  onAsked?: (remembered: number, opened: number) => void;
  /** Opens many at once; null or none: threads of this process do. */
  openValues?: OpenValues | null;
}

/**
 * Opens sealed values. A value never changes, so its content is remembered by its ciphertext until a
 * whole run has not asked for it: whoever adds to an inbox has each value opened once.
 */
export class EntryOpener {
  readonly #privateKey: KeyObject;
  readonly #onAsked: (remembered: number, opened: number) => void;
  readonly #openElsewhere: OpenValues | null;
  readonly #threads: OpeningThreads;
  /** As text: a buffer of its own for each would take a kilobyte more. */
  #asked = new Map<string, string | null>();
  #askedBefore = new Map<string, string | null>();

  constructor(privateKey: KeyObject, { onAsked, openValues }: EntryOpenerOptions = {}) {
    this.#privateKey = privateKey;
    this.#onAsked = onAsked ?? (() => undefined);
    this.#threads = new OpeningThreads(privateKey);
    this.#openElsewhere = openValues ?? null;
  }

  /** What was not asked for since the last end is forgotten. */
  endAnalysis(): void {
    this.#askedBefore = this.#asked;
    this.#asked = new Map();
  }

  /** One answer per value, in order. */
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
    for (let start = 0; start < values.length; start += PIECE) {
      signal?.throwIfAborted();
      const piece = values.slice(start, start + PIECE);
      const opened = await this.#openNew(
        piece.map(([, value]) => value),
        signal,
      );
      for (const [index, [name]] of piece.entries()) {
        this.#remember(answers, name, opened[index]?.toString('latin1') ?? null);
      }
      this.#onAsked(0, piece.length);
    }
    this.#onAsked(names.length - values.length, 0);
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
    if (values.length <= FEW) return values.map((value) => openValue(value, this.#privateKey));
    const isMany = values.length >= MANY;
    if (isMany && this.#openElsewhere !== null) return await this.#openElsewhere(values, signal);
    return await this.#threads.open(values, signal);
  }
}
