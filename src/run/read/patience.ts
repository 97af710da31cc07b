import { setTimeout as pause } from 'node:timers/promises';
import { TimeUpError } from './ask-pod.js';

/** Every other server has at least this long, however quick the Analyser's own is. */
const PATIENCE_MS = 10_000;
/**
 * After that, other servers have this time to be asked again for files that they refused. Otherwise a Pod that revoked
 * a share would stay in the figures because of a slow file beside this share.
 */
const CONFIRMING_MS = 3_000;

/** How long other servers than the Analyser's own are waited for. */
export class Patience {
  readonly #reading = new AbortController();
  readonly #confirming = new AbortController();
  readonly #ended = new AbortController();

  /** `home` resolves when the Analyser's own server has been asked for everything. */
  constructor(home: Promise<void>) {
    this.#run(home).catch(() => undefined);
  }

  /** Aborts with a TimeUpError. */
  get reading(): AbortSignal {
    return this.#reading.signal;
  }

  /** Aborts with a TimeUpError, some seconds after `reading`. */
  get confirming(): AbortSignal {
    return this.#confirming.signal;
  }

  end(): void {
    this.#ended.abort();
  }

  async #run(home: Promise<void>): Promise<void> {
    const { signal } = this.#ended;
    await Promise.all([home, pause(PATIENCE_MS, undefined, { signal })]);
    this.#reading.abort(new TimeUpError());
    await pause(CONFIRMING_MS, undefined, { signal });
    this.#confirming.abort(new TimeUpError());
  }
}
