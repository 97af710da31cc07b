import type { AnalysisReport } from '../queue/analysis-report.js';
import type { Connector } from '../run/readiness.js';
import type { RunControl } from '../run/run-control.js';

/** What this door opens onto: the analysis cycle, and the login that it needs. */
export interface Engine<Connection> extends Connector<Connection> {
  /**
   * The WebID in its one spelling, so that Analyse and Cancel mean the same Pod; null for what
   * is none.
   */
  identify(text: string): string | null;
  /** One analysis. Arms its own timeout; throws the reason when `control` stops it. */
  run(connection: Connection, caller: string, control: RunControl): Promise<AnalysisReport>;
}
