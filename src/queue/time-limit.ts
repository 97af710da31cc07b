import type { Turn } from './analysis-queue.js';
import { stopError } from './stop-reasons.js';

/** The limit ends with the last checkpoint; `release` ends it when the turn ends before. */
export interface LimitedTurn extends Pick<Turn, 'signal' | 'commit'> {
  release(): void;
}

/** Past the limit the turn is stopped as by a Cancel, but its calls are FAILED. */
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
