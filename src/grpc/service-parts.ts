import type { Logger } from '../base/logger.js';
import type { Observer } from '../cycle/observer.js';
import type { CallerProof } from './caller-proof.js';
import type { Engine } from './engine.js';
import type { Readiness } from './readiness.js';
import type { Turns } from './turns.js';

/** What the three calls work with. */
export interface ServiceParts<Connection> {
  engine: Engine<Connection>;
  readiness: Readiness<Connection>;
  turns: Turns;
  /** Null: callers need not prove who they are. */
  proof: CallerProof | null;
  analyser: { web_id: string; server_url: string };
  timeoutSeconds: number;
  log: Logger;
  observer: Observer;
}
