import type { Turn } from './analysis-queue.js';
import { stopError } from './stop-reasons.js';

/** Ends with the last checkpoint; also to be released when the turn ends before that. */
export interface LimitedTurn extends Pick<Turn, 'signal' | 'commit'> {
  release(): void;
}

/** Past the limit the turn is stopped like by a Cancel, but as a failure. */
export function withTimeLimit(turn: Turn, seconds: number | null): LimitedTurn {
  if (seconds === null) {
    return { signal: turn.signal, commit: () => turn.commit(), release: () => undefined };
  }
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(stopError('timeout')), seconds * 1000);
  const release = () => clearTimeout(timer);
  const signal = AbortSignal.any([turn.signal, limit.signal]);
  return {
    signal,
    async commit() {
      signal.throwIfAborted();
      release();
      return await turn.commit();
    },
    release,
  };
}
