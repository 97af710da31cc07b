import { hash, type KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openValue } from '../crypto/rsa.js';

/** Values opened in one turn of the event loop: some ten milliseconds of RSA. */
const IN_ONE_TURN = 32;
/** Bounds memory, since anybody can fill an inbox; further values are opened anew each time. */
const MOST_REMEMBERED = 300_000;

/**
 * Opens sealed values. Remembers their contents by ciphertext, as long as the inbox holds them. So each value that is
 * added to an inbox is opened once.
 */
export class EntryOpener {
  /** Contents as text, because a buffer for each would take a kilobyte more. */
  #asked = new Map<string, string | null>();
  #askedBefore = new Map<string, string | null>();
  #opened = 0;

  constructor(private readonly openOne: (sealed: string) => Buffer | null) {}

  /** Forgets the values that were not asked for since the last call. */
  forgetUnasked(): void {
    this.#askedBefore = this.#asked;
    this.#asked = new Map();
  }

  /** Returns one result for each value, in order: null for a value that does not open. */
  async open(sealed: readonly string[], signal?: AbortSignal): Promise<(Buffer | null)[]> {
    const contents: (Buffer | null)[] = [];
    for (const value of sealed) {
      const name = hash('sha256', value, 'base64');
      let text = (this.#asked.has(name) ? this.#asked : this.#askedBefore).get(name);
      if (text === undefined) {
        if (this.#opened % IN_ONE_TURN === 0) await nextTurn();
        signal?.throwIfAborted();
        this.#opened += 1;
        text = this.openOne(value)?.toString('latin1') ?? null;
      }
      if (this.#asked.size < MOST_REMEMBERED) this.#asked.set(name, text);
      contents.push(text === null ? null : Buffer.from(text, 'latin1'));
    }
    return contents;
  }
}

export function openerOf({ privateKey }: { privateKey: KeyObject }): EntryOpener {
  return new EntryOpener((sealed) => openValue(sealed, privateKey));
}
