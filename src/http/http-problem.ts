import type { FastifyBaseLogger } from 'fastify';
import type { ResultsDocument } from '../documents/results-document.js';
import type { StoredResults } from '../store/results-store.js';

/** An answer other than 200, with the sentence that the client gets. */
export class HttpProblem extends Error {
  constructor(
    readonly status: 404 | 405 | 500 | 503,
    readonly detail: string,
  ) {
    super(detail);
  }
}

export function noRunYet(): HttpProblem {
  return new HttpProblem(503, 'No analysis has run yet.');
}

/**
 * The document, or the problem that says why there is none. `named` is how the log calls it;
 * the path and the reason stay in the log.
 */
export function requireDocument(
  results: StoredResults,
  named: string,
  log: FastifyBaseLogger,
): { document: ResultsDocument; modified: Date } {
  switch (results.state) {
    case 'found':
      return results;
    case 'absent':
      throw noRunYet();
    case 'newer':
      log.error(
        { path: results.path },
        `The results of ${named} have schema_version ${results.schemaVersion}, this release knows 1. Update it.`,
      );
      throw new HttpProblem(
        503,
        `The results of ${named} were written by a newer release, with schema_version ${results.schemaVersion}. Update this service.`,
      );
    case 'damaged':
      log.error(
        { path: results.path, reason: results.reason },
        `The results of ${named} are damaged. The next analysis writes a new latest.json; a stored run can only be removed.`,
      );
      throw new HttpProblem(500, `The results of ${named} are damaged; the log says how.`);
  }
}
