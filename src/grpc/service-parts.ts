import type { Logger } from '../base/logger.js';
import type { Line } from '../run/line.js';
import type { Observer } from '../run/observer.js';
import type { Readiness } from '../run/readiness.js';
import type { CallerProof } from './caller-proof.js';
import type { Engine } from './engine.js';

/** What the three calls work with. */
export interface ServiceParts<Connection> {
  engine: Engine<Connection>;
  readiness: Readiness<Connection>;
  line: Line;
  /** Null: callers need not prove who they are. */
  proof: CallerProof | null;
  analyser: { web_id: string; server_url: string };
  timeoutSeconds: number;
  log: Logger;
  observer: Observer;
}
