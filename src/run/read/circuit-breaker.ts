import { AnalyserError, isUnanswered, ServerError } from '../../base/errors.js';
import type { Config } from '../../config/schema.js';
import { canonicalRoot } from '../../pod/addresses.js';
import { ownerRootOf } from '../../pod/resource-address.js';
import type { Recipients } from '../recipients.js';

/** So many files in succession without any answer, and nobody asks there any more. */
const MOST_SILENCES = 10;
/** So many Pods in them, and it is not their owners' doing. */
const MANY_PODS = 3;

/**
 * Other servers have so much of the time of an analysis, so that one that is slow costs no caller
 * their result. Files begin after the folders, so they have what those leave of the half.
 */
const FOLDERS_SHARE = 1 / 4;
const FILES_SHARE = 1 / 2;

/** Aborts what another server has not given in time. */
export class OthersTimeUpError extends AnalyserError {
  constructor() {
    super('server', 'the time that an analysis has for other servers was over');
  }
}

export interface BreakerOptions {
  serverUrl: string;
  podOf: (url: string) => string;
  /** None for run-once. */
  callerPods: readonly string[];
  /** How long the analysis may take, from now on. */
  timeoutMs: number;
}

/**
 * Tells what cannot be had, which is a warning, from a storage server that is gone, which ends
 * the analysis. An owner can make files that get no answer, and must harm nobody else by it:
 * their Pod alone is asked nothing more. The server is gone when ten files in succession got no
 * answer, of three Pods or with the callers' own among them. Another server that is gone
 * (data.allowed_origins) is asked nothing more either.
 */
export class CircuitBreaker {
  readonly #home: string;
  readonly #options: BreakerOptions;
  /** Silences in succession, by Pod on the storage server and by origin elsewhere. */
  readonly #silences = new Map<string, number>();
  /** Silences in succession on the storage server, and the Pods in them. */
  #atHome = 0;
  readonly #silentPods = new Set<string>();

  /** Until when other servers are asked, in milliseconds since 1970. */
  readonly othersUntil: { folders: number; files: number };
  /** Something may be missing that another analysis would have. */
  sawSilence = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#home = new URL(options.serverUrl).origin;
    const now = Date.now();
    this.othersUntil = {
      folders: now + options.timeoutMs * FOLDERS_SHARE,
      files: now + options.timeoutMs * FILES_SHARE,
    };
  }

  recordAnswer(url: string): void {
    // As a rule nobody is silent, and there are tens of thousands of files to be quick about.
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

  /** Throws what says nothing about this one address, and the silence that is one too many. */
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
    return new URL(url).origin === this.#home;
  }

  #isServerGone(): boolean {
    if (this.#atHome < MOST_SILENCES) return false;
    if (this.#silentPods.size >= MANY_PODS) return true;
    const { callerPods } = this.#options;
    // Of several callers, one alone must not fail the others.
    return callerPods.length > 0 && callerPods.every((pod) => this.#silentPods.has(pod));
  }

  #placeOf(url: string): string {
    return this.isAtHome(url) ? this.#options.podOf(url) : new URL(url).origin;
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

/** What was never given, for want of an answer or of time. */
export function isMissing(error: AnalyserError): boolean {
  return error instanceof OthersTimeUpError || isUnanswered(error);
}
