import type { Logger } from '../base/logger.js';
import type { AnalysisQueue } from '../queue/analysis-queue.js';
import type { CallerProof } from './caller-proof.js';

/** How far one call has come, for those who watch the service. */
interface CallWatch {
  began(): void;
  ended(outcome: 'COMPLETED' | 'CANCELLED' | 'NO_DATA' | 'FAILED'): void;
  traceparent?: string | undefined;
}

export interface CallObserver {
  call<T>(traceparent: string | undefined, work: (watch: CallWatch) => Promise<T>): Promise<T>;
  ready(isReady: boolean): void;
}

/** Whether an analysis that is asked for now could work; known without waiting. */
export interface ServiceReadiness {
  readonly state: { ready: boolean; reason: string };
  onChange(listener: () => void): void;
  /** Somebody wants to know, so that what is known may be looked at again. */
  asked(): void;
}

export interface ServiceParts {
  queue: AnalysisQueue;
  readiness: ServiceReadiness;
  /** A WebID in its one spelling; null for what is none. */
  identify: (text: string) => string | null;
  /** Null: callers need not prove who they are. */
  proof: CallerProof | null;
  analyser: { web_id: string; server_url: string };
  log: Logger;
  observer: CallObserver;
}
