import { ServerError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';

/** How long a request is waited for, all tries together, without the wait for a place or in a pause of the server. */
export class Patience {
  #leftMs: number;

  constructor(
    private readonly url: string,
    milliseconds: number,
  ) {
    this.#leftMs = milliseconds;
  }

  async during<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const ending = new AbortController();
    const forget = onAbort(signal, () => ending.abort(signal.reason));
    const timer = setTimeout(() => ending.abort(this.#isOver()), this.#leftMs);
    const from = performance.now();
    try {
      return await work(ending.signal);
    } finally {
      clearTimeout(timer);
      forget();
      this.#leftMs -= performance.now() - from;
    }
  }

  #isOver(): ServerError {
    const error = new ServerError('slow', `${this.url} did not answer in time.`, { url: this.url });
    error.isFinal = true;
    return error;
  }
}
