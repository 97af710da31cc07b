import type { ResultsDocument } from '../../src/documents/results-document.js';
import type { Problem } from '../api/problem.js';
import type { ServiceStatus } from './status.js';

/** What the page knows about the service at this moment. */
export interface Live {
  /** Counts the polls; whatever failed tries again when it changes. */
  tick: number;
  status: ServiceStatus | null;
  /** The newest results that could be read; they stay on the page while a later poll fails. */
  results: ResultsDocument | null;
  loadedAt: number | null;
  /** No analysis has run yet: not a problem, but nothing to show either. */
  empty: boolean;
  problem: Problem | null;
}

export const notYet: Live = {
  tick: 0,
  status: null,
  results: null,
  loadedAt: null,
  empty: false,
  problem: null,
};
