import type { Logger } from '../base/logger.js';
import type { RareWarning } from '../base/rare-warning.js';
import type { AddressSet } from '../ports/caller-address.js';
import type { Observer } from '../run/observer.js';
import type { AnalysisQueue } from '../service/analysis-queue.js';
import type { CallerProof } from './caller-proof.js';

/** Whether an analysis could work now; known without waiting. */
export interface ServiceReadiness {
  readonly state: { ready: boolean; reason: string };
  /** Checks again if the last check was long ago; called whenever somebody asks for the state. */
  recheck(): void;
}

/** Why a call was not put in line. */
export interface Refusal {
  /** The words that the caller is told. */
  reason: string;
  err?: Error;
}

export interface CallContext {
  queue: AnalysisQueue;
  readiness: ServiceReadiness;
  /** Null when callers need not prove who they are. */
  proof: CallerProof | null;
  /** The proxies that are believed when they say who calls. */
  proxies: AddressSet;
  analyser: { web_id: string; server_url: string };
  log: Logger;
  /** A rare warning, because any caller can cause refusals. */
  refusals: RareWarning<Refusal>;
  observe: Observer;
}
