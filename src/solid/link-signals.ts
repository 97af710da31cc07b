import { setMaxListeners } from 'node:events';

/** One signal out of several and a time limit; `release` lets go of the long-lived ones. */
export interface LinkedSignal {
  signal: AbortSignal;
  timedOut(): boolean;
  release(): void;
}

export function linkSignals(
  sources: (AbortSignal | undefined)[],
  timeoutMs?: number,
): LinkedSignal {
  const controller = new AbortController();
  let timedOut = false;
  const releases = sources.map((source) => follow(source, controller));
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = !controller.signal.aborted;
          controller.abort();
        }, timeoutMs);
  return {
    signal: controller.signal,
    timedOut: () => timedOut,
    release() {
      clearTimeout(timer);
      for (const release of releases) release();
    },
  };
}

function follow(source: AbortSignal | undefined, controller: AbortController): () => void {
  if (source === undefined) return () => undefined;
  const abort = (): void => controller.abort(source.reason);
  if (source.aborted) abort();
  // One signal stops a whole run, hundreds of requests: that is no leak to warn about.
  setMaxListeners(0, source);
  source.addEventListener('abort', abort, { once: true });
  return () => source.removeEventListener('abort', abort);
}
