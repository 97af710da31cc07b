import type { Socket } from 'node:net';
import type { StoredDocument } from '../store/stored-document.js';

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

export function noRunYet(): HttpProblem {
  return new HttpProblem(503, 'No analysis has run yet.');
}

/**
 * Returns the document. Without a document it throws a problem that says why. `named` is what messages call the
 * document; only the log gets its path and the reason.
 */
export function requireDocument<T>(stored: StoredDocument<T>, named: string): T {
  switch (stored.state) {
    case 'found':
      return stored.document;
    case 'absent':
      throw noRunYet();
    case 'newer':
      throw new HttpProblem(
        503,
        `The figures of ${named} were written by a newer version, with schema_version ${stored.schemaVersion}. Update this service.`,
        { path: stored.path },
      );
    case 'damaged':
      throw new HttpProblem(
        500,
        `The figures of ${named} are damaged; the log says how. The next analysis replaces the latest run. A chart is replaced when its person asks for an analysis. A stored run cannot be repaired, only removed.`,
        { path: stored.path, reason: stored.reason },
      );
  }
}

/**
 * Answers bytes that are not an HTTP request, or are too many or too slow. It writes to the socket, because there is no
 * reply object yet.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, detail] = problemOf(error.code);
  const body = JSON.stringify({ detail });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function problemOf(code: string | undefined): [status: string, detail: string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['431 Request Header Fields Too Large', 'The address or the headers are too long.'];
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'The request took too long to arrive.'];
    default:
      return ['400 Bad Request', 'This is not a valid HTTP request.'];
  }
}
