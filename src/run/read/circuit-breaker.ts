import { AnalyserError, isUnanswered, ServerError } from '../../base/errors.js';
import type { Config } from '../../config/schema.js';
import { canonicalRoot } from '../../pod/addresses.js';
import { ownerRootOf } from '../../pod/resource-address.js';
import type { Recipients } from '../recipients.js';

/** After this many files in succession without an answer, a place is not asked any more. */
const MOST_SILENCES = 10;
/** Silence of this many Pods cannot be the doing of one owner. */
const MANY_PODS = 3;

/**
 * Other servers get half of an analysis's time, so that a slow one costs no caller the result.
 * Folders may take a quarter; files come after them and have the rest of the half.
 */
const FOLDERS_SHARE = 1 / 4;
const FILES_SHARE = 1 / 2;

/** Aborts requests that another server has not answered in time. */
export class OthersTimeUpError extends AnalyserError {
  constructor() {
    super('server', 'the time that an analysis has for other servers was over');
  }
}

export interface BreakerOptions {
  serverUrl: string;
  podOf: (url: string) => string;
  /** Empty for run-once. */
  callerPods: readonly string[];
  /** How long the analysis may take, from now on. */
  timeoutMs: number;
}

/**
 * Decides whether missing answers are warnings about some files, or end the analysis because the
 * storage server is gone. An owner can make files that get no answer; then only that Pod is not asked any
 * more. The server counts as gone when ten files in succession got no answer, from three Pods or
 * from every caller's own. Another server (data.allowed_origins) that is gone is not asked any more
 * either.
 */
export class CircuitBreaker {
  /** The origin of the storage server. */
  readonly home: string;
  /** Files without an answer in succession, by Pod on the storage server, else by origin. */
  readonly #silences = new Map<string, number>();
  /** Files without an answer in succession on the storage server, and the Pods they are from. */
  #atHome = 0;
  readonly #silentPods = new Set<string>();

  /** When the time for other servers ends, in milliseconds since 1970. */
  readonly othersUntil: { folders: number; files: number };
  /** Whether something may be missing that the next analysis could have. */
  sawSilence = false;

  constructor(private readonly options: BreakerOptions) {
    this.home = new URL(options.serverUrl).origin;
    const now = Date.now();
    this.othersUntil = {
      folders: now + options.timeoutMs * FOLDERS_SHARE,
      files: now + options.timeoutMs * FILES_SHARE,
    };
  }

  recordAnswer(url: string): void {
    // The usual case, made quick because there can be tens of thousands of files.
    if (this.#silences.size === 0) return;
    this.#silences.delete(this.#placeOf(url));
    if (!this.isAtHome(url)) return;
    this.#atHome = 0;
    this.#silentPods.clear();
  }

  isGone(url: string): boolean {
    if (this.#silences.size === 0) return false;
    return (this.#silences.get(this.#placeOf(url)) ?? 0) >= MOST_SILENCES;
  }

  /**
   * Returns the error to warn with. Throws it instead when it does not concern this address, or
   * when it shows that the server is gone.
   */
  recordFailure(error: unknown, url: string): AnalyserError {
    if (!(error instanceof AnalyserError) || !isAboutAddress(error)) throw error;
    if (!isMissing(error)) {
      this.recordAnswer(url);
      return error;
    }
    this.sawSilence = true;
    if (error instanceof OthersTimeUpError) return error;
    const place = this.#placeOf(url);
    this.#silences.set(place, (this.#silences.get(place) ?? 0) + 1);
    if (this.isAtHome(url)) {
      this.#atHome += 1;
      this.#silentPods.add(place);
      if (this.#isServerGone()) throw error;
    }
    return error;
  }

  isAtHome(url: string): boolean {
    return new URL(url).origin === this.home;
  }

  #isServerGone(): boolean {
    if (this.#atHome < MOST_SILENCES) return false;
    if (this.#silentPods.size >= MANY_PODS) return true;
    const { callerPods } = this.options;
    // One caller of several must not make the others fail.
    return callerPods.length > 0 && callerPods.every((pod) => this.#silentPods.has(pod));
  }

  #placeOf(url: string): string {
    return this.isAtHome(url) ? this.options.podOf(url) : new URL(url).origin;
  }
}

export function breakerFor(
  { analyser: { server_url }, grpc }: Pick<Config, 'analyser' | 'grpc'>,
  analyser: { appDir: string; root: string },
  recipients: Recipients,
): CircuitBreaker {
  const place = { appDir: analyser.appDir, analyserRoot: analyser.root };
  return new CircuitBreaker({
    serverUrl: server_url,
    podOf: (url) => ownerRootOf(url, place) ?? url,
    callerPods: recipients?.flatMap((webId) => canonicalRoot(webId) ?? []) ?? [],
    timeoutMs: grpc.analysis_timeout_seconds * 1000,
  });
}

function isAboutAddress(error: AnalyserError): boolean {
  if (error instanceof ServerError) return error.failure !== 'login';
  if (error instanceof OthersTimeUpError) return true;
  return error.kind === 'malformed';
}

/** Whether a file is missing for want of an answer or of time. */
export function isMissing(error: AnalyserError): boolean {
  return error instanceof OthersTimeUpError || isUnanswered(error);
}
