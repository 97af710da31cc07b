import type { CallInTurn, Turn } from '../queue/analysis-queue.js';

/** A call whose run has its id. */
export interface NamedCall extends CallInTurn {
  runId: string;
}

/** What an analysis sees of its turn. */
export interface NamedTurn extends Pick<Turn, 'signal' | 'commit' | 'answer'> {
  readonly calls: readonly NamedCall[];
}
