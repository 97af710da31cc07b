import type { AnalyserError } from '../base/errors.js';
import type { Delivery } from './plan-deliveries.js';

/** A delivery on its way. */
export interface Parcel {
  delivery: Delivery;
  /** Null for a document that is not encrypted. */
  key: Buffer | null;
  /** Why the run cannot count as a success; null when nothing of the Analyser's own went wrong. */
  problem: AnalyserError | null;
  /** WebID of a recipient without the document, to the reason. */
  failures: Map<string, string>;
}
