import { ServerError } from '../base/errors.js';

/** So many files in succession without any answer, and the server counts as unreachable. */
const MOST_SILENCES = 10;

/**
 * Tells one file that cannot be had, which is a warning, from a storage server that is gone,
 * which ends the analysis.
 */
export class ServerPatience {
  #silences = 0;

  answered(): void {
    this.#silences = 0;
  }

  /** Throws what is no silence of the server, and the silence that is one too many. */
  endure(error: unknown): ServerError {
    if (!(error instanceof ServerError) || error.failure === 'login') throw error;
    if (isSilence(error)) {
      this.#silences += 1;
      if (this.#silences >= MOST_SILENCES) throw error;
    } else {
      this.answered();
    }
    return error;
  }
}

function isSilence({ failure }: ServerError): boolean {
  return failure === 'unreachable' || failure === 'slow' || failure === 'unavailable';
}
