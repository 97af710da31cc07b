import { AnalyserError, ServerError } from '../base/errors.js';
import type { Config } from '../config/schema.js';
import { parseWebId } from '../pod/addresses.js';
import { ownerRootOf } from '../pod/resource-address.js';
import type { UnlockedPod } from '../pod/unlock-pod.js';
import type { Recipients } from './recipients.js';

/** So many files in succession without any answer, and nobody asks there any more. */
const MOST_SILENCES = 10;
/** So many Pods in them, and it is not their owners' doing. */
const MANY_PODS = 3;

export interface PatienceOptions {
  /** The storage server. */
  serverUrl: string;
  /** The Pod that an address belongs to. */
  podOf: (url: string) => string;
  /** Null for run-once. */
  callerPods: readonly string[] | null;
}

/**
 * Tells what cannot be had, which is a warning, from a storage server that is gone, which ends
 * the analysis. An owner can make files that get no answer, and must harm nobody else by it:
 * their Pod alone is asked nothing more. The server is gone when the silence also takes in the
 * caller's Pod, or many. Another server that is gone (data.allowed_origins) is asked nothing
 * more either.
 */
export class ServerPatience {
  readonly #home: string;
  readonly #options: PatienceOptions;
  /** Silences in succession, by Pod on the storage server and by origin elsewhere. */
  readonly #silences = new Map<string, number>();
  /** Silences in succession on the storage server, and the Pods in them. */
  #atHome = 0;
  readonly #silentPods = new Set<string>();

  /** Something may be missing that another analysis would have. */
  sawSilence = false;

  constructor(options: PatienceOptions) {
    this.#options = options;
    this.#home = new URL(options.serverUrl).origin;
  }

  answered(url: string): void {
    // As a rule nobody is silent, and there are tens of thousands of files to be quick about.
    if (this.#silences.size === 0) return;
    this.#silences.delete(this.#placeOf(url));
    if (!this.#isAtHome(url)) return;
    this.#atHome = 0;
    this.#silentPods.clear();
  }

  isGone(url: string): boolean {
    if (this.#silences.size === 0) return false;
    return (this.#silences.get(this.#placeOf(url)) ?? 0) >= MOST_SILENCES;
  }

  /** Throws what says nothing about this one address, and the silence that is one too many. */
  endure(error: unknown, url: string): AnalyserError {
    if (!(error instanceof AnalyserError) || !isAboutAddress(error)) throw error;
    if (!isSilence(error)) {
      this.answered(url);
      return error;
    }
    this.sawSilence = true;
    const place = this.#placeOf(url);
    this.#silences.set(place, (this.#silences.get(place) ?? 0) + 1);
    if (this.#isAtHome(url)) {
      this.#atHome += 1;
      this.#silentPods.add(place);
      if (this.#isServerGone()) throw error;
    }
    return error;
  }

  #isServerGone(): boolean {
    if (this.#atHome < MOST_SILENCES) return false;
    const { callerPods } = this.#options;
    if (callerPods === null) return this.#silentPods.size > 1;
    // Of several callers, one alone must not fail the others.
    const allCallers =
      callerPods.length > 0 && callerPods.every((pod) => this.#silentPods.has(pod));
    return allCallers || this.#silentPods.size >= MANY_PODS;
  }

  #isAtHome(url: string): boolean {
    return new URL(url).origin === this.#home;
  }

  #placeOf(url: string): string {
    return this.#isAtHome(url) ? this.#options.podOf(url) : new URL(url).origin;
  }
}

export function patienceFor(
  { server_url }: Config['analyser'],
  analyser: Pick<UnlockedPod, 'appDir' | 'root'>,
  recipients: Recipients,
): ServerPatience {
  const place = { appDir: analyser.appDir, analyserRoot: analyser.root };
  return new ServerPatience({
    serverUrl: server_url,
    podOf: (url) => ownerRootOf(url, place) ?? url,
    callerPods: recipients?.flatMap((webId) => parseWebId(webId)?.root ?? []) ?? null,
  });
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
