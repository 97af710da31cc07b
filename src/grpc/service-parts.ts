import type { Logger } from '../base/logger.js';
import type { AnalysisQueue } from '../queue/analysis-queue.js';
import type { CallerProof } from './caller-proof.js';

/** Is told how far one call has come. */
interface CallWatch {
  began(): void;
  ended(outcome: 'COMPLETED' | 'CANCELLED' | 'NO_DATA' | 'FAILED'): void;
  traceparent?: string | undefined;
}

export interface CallObserver {
  call<T>(traceparent: string | undefined, work: (watch: CallWatch) => Promise<T>): Promise<T>;
  note(
    event: { kind: 'readiness'; ready: boolean } | { kind: 'certificate'; expires: number },
  ): void;
}

/** Whether an analysis could work now; known without waiting. */
export interface ServiceReadiness {
  readonly state: { ready: boolean; reason: string };
  onChange(listener: () => void): void;
  /** Called when somebody asks, so that old evidence is checked again. */
  asked(): void;
}

export interface ServiceParts {
  queue: AnalysisQueue;
  readiness: ServiceReadiness;
  /** Returns the canonical WebID; null for a text that is none. */
  identify: (text: string) => string | null;
  /** Null when callers need not prove who they are. */
  proof: CallerProof | null;
  analyser: { web_id: string; server_url: string };
  log: Logger;
  observer: CallObserver;
}
