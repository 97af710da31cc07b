import { AnalyserService } from '../generated/healthpod/analyser/v1/analyser.js';

/**
 * The three calls, where a request that cannot be decoded counts as an empty one: a caller's mistake
 * is then refused as such, and not as an internal error, which is what the library would call it.
 */
export const lenientAnalyserService = {
  analyse: lenient(AnalyserService.analyse),
  cancel: lenient(AnalyserService.cancel),
  status: lenient(AnalyserService.status),
};

function lenient<Request, Method extends { requestDeserialize: (bytes: Buffer) => Request }>(
  method: Method & { requestDeserialize: (bytes: Buffer) => Request },
): Method {
  return {
    ...method,
    requestDeserialize: (bytes: Buffer) => {
      try {
        return method.requestDeserialize(bytes);
      } catch {
        return method.requestDeserialize(Buffer.alloc(0));
      }
    },
  };
}
