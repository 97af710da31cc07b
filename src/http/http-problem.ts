import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { messageOf } from '../base/errors.js';
import type { ResultsDocument } from '../documents/results-document.js';
import type { ResultsStore, StoredResults } from '../store/results-store.js';

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

export async function requireLatest(results: Results): Promise<ResultsDocument> {
  return requireDocument(await results.readLatest(), 'the latest run');
}

export async function requireRun(results: Results, runId: string): Promise<ResultsDocument> {
  const stored = await results.readRun(runId);
  const isNone = stored.state === 'absent' && (await results.readLatest()).state !== 'absent';
  if (!isNone) return requireDocument(stored, `run ${runId}`);
  throw new HttpProblem(404, 'No run of this run_id is stored.');
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

const refusals = new Map([
  ['HPE_HEADER_OVERFLOW', ['431 Request Header Fields Too Large', 'The headers are too long.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', ['408 Request Timeout', 'The request did not arrive in time.']],
]);
const malformed = ['400 Bad Request', 'This is no request of HTTP.'];

/** Answers what is no request at all, which no route and no error handler sees. */
export function answerClientError({ code = '' }: NodeJS.ErrnoException, socket: Socket): void {
  if (socket.destroyed) return;
  const [status, detail] = refusals.get(code) ?? malformed;
  const body = JSON.stringify({ detail });
  const headers = `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
  socket.destroySoon();
}

export const nothingHere = 'There is nothing at this path; /docs lists the paths that exist.';

export interface Problem {
  status: number;
  detail: string;
}

/** What a client is told of an error. Paths and reasons are for the operator, in the log. */
export function describeError(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof HttpProblem) {
    if (error.details !== null) request.log.error(error.details, error.message);
    return { status: error.status, detail: error.message };
  }
  // The framework refuses some paths, such as one that leads out of the folder of /docs.
  const refused = refusal.safeParse(error).data;
  if (refused !== undefined) return { status: refused.statusCode, detail: nothingHere };
  request.log.error({ err: error, url: request.url }, messageOf(error));
  return { status: 500, detail: 'This could not be answered; the log says why.' };
}

const refusal = z.object({ statusCode: z.number().min(400).max(499) });
