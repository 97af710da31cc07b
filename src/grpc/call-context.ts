import type { Logger } from '../base/logger.js';
import type { AnalysisQueue } from '../queue/analysis-queue.js';
import type { Observer } from '../run/observer.js';
import type { CallerProof } from './caller-proof.js';

export type CallObserver = Pick<Observer, 'call' | 'note'>;

/** Whether an analysis could work now; known without waiting. */
export interface ServiceReadiness {
  readonly state: { ready: boolean; reason: string };
  onChange(listener: () => void): void;
  /** Called when somebody asks, so that old evidence is checked again. */
  recheck(): void;
}

export interface CallContext {
  queue: AnalysisQueue;
  readiness: ServiceReadiness;
  /** The same text for every spelling of one WebID; null for a text that is none. */
  identify: (text: string) => string | null;
  /** Null when callers need not prove who they are. */
  proof: CallerProof | null;
  analyser: { web_id: string; server_url: string };
  log: Logger;
  observer: CallObserver;
}
