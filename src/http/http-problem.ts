import type { ResultsDocument } from '../documents/results-document.js';
import type { ResultsStore, StoredResults } from '../store/results-store.js';

/** An error that is answered with this status; the client gets its message. */
export class HttpProblem extends Error {
  constructor(
    readonly status: 404 | 500 | 503,
    message: string,
    /** Details for the log alone; null when there is nothing to log. */
    readonly details: object | null = null,
  ) {
    super(message);
  }
}

type Results = Pick<ResultsStore, 'readLatest' | 'readRun'>;

/** The document of the newest run, or a problem that says why there is none. */
export async function requireLatest(results: Results): Promise<ResultsDocument> {
  return requireDocument(await results.readLatest(), 'the latest run');
}

export async function requireRun(results: Results, runId: string): Promise<ResultsDocument> {
  const stored = await results.readRun(runId);
  const isNone = stored.state === 'absent' && (await results.readLatest()).state !== 'absent';
  if (!isNone) return requireDocument(stored, `run ${runId}`);
  throw new HttpProblem(404, 'No run of this run_id is stored; /api/runs lists them.');
}

/** `named` is what messages call the document; only the log gets its path and the reason. */
function requireDocument(stored: StoredResults, named: string): ResultsDocument {
  switch (stored.state) {
    case 'found':
      return stored.document;
    case 'absent':
      throw new HttpProblem(503, 'No analysis has run yet.');
    case 'unreadable':
      throw new HttpProblem(
        500,
        `This version cannot read the figures of ${named}; the log says why. The next analysis replaces the latest run. A stored run can only be removed.`,
        { path: stored.path, reason: stored.reason },
      );
  }
}
