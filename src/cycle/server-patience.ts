import { AnalyserError, ServerError } from '../base/errors.js';

/** So many files in succession without any answer, and the server counts as unreachable. */
const MOST_SILENCES = 10;

/**
 * Tells one file that cannot be had, which is a warning, from a storage server that is gone,
 * which ends the analysis. Another server that is gone (data.allowed_origins) is only asked
 * nothing more: it must not hold up those whose Pods are elsewhere.
 */
export class ServerPatience {
  readonly #home: string;
  readonly #silences = new Map<string, number>();

  constructor(serverUrl: string) {
    this.#home = new URL(serverUrl).origin;
  }

  answered(url: string): void {
    this.#silences.delete(new URL(url).origin);
  }

  isGone(url: string): boolean {
    return this.#silencesOf(url) >= MOST_SILENCES;
  }

  /** Throws what says nothing about this one address, and the silence that is one too many. */
  endure(error: unknown, url: string): AnalyserError {
    if (!(error instanceof AnalyserError) || !isAboutAddress(error)) throw error;
    if (!isSilence(error)) {
      this.answered(url);
      return error;
    }
    const { origin } = new URL(url);
    this.#silences.set(origin, this.#silencesOf(url) + 1);
    if (origin === this.#home && this.isGone(url)) throw error;
    return error;
  }

  #silencesOf(url: string): number {
    return this.#silences.get(new URL(url).origin) ?? 0;
  }
}

function isAboutAddress(error: AnalyserError): boolean {
  if (error instanceof ServerError) return error.failure !== 'login';
  return error.kind === 'malformed';
}

function isSilence(error: AnalyserError): boolean {
  if (!(error instanceof ServerError)) return false;
  const { failure } = error;
  return failure === 'unreachable' || failure === 'slow' || failure === 'unavailable';
}
