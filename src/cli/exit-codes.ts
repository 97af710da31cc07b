import { AnalyserError, type ErrorKind } from '../base/errors.js';

/** Scripts of operators rely on these numbers; 1 stands for every failure without a number of its own. */
export const exitCodes = { ok: 0, failed: 1, configuration: 2, keys: 3, server: 4 } as const;

const codeOfKind: Record<ErrorKind, number> = {
  configuration: exitCodes.configuration,
  keys: exitCodes.keys,
  server: exitCodes.server,
  call: exitCodes.server,
  // The document came from the server.
  malformed: exitCodes.server,
  disk: exitCodes.failed,
  // 1, so that a supervisor starts the service again: the port may be free by then.
  port: exitCodes.failed,
  redis: exitCodes.server,
  timeout: exitCodes.failed,
  cancelled: exitCodes.failed,
};

export function exitCodeOf(error: unknown): number {
  return error instanceof AnalyserError ? codeOfKind[error.kind] : exitCodes.failed;
}
