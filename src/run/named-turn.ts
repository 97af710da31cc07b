import type { CallInTurn, Turn } from '../queue/turn.js';

/** A call that has been given its run id. */
export interface NamedCall extends CallInTurn {
  runId: string;
}

/** The part of a turn that an analysis needs. */
export interface NamedTurn extends Pick<Turn, 'signal' | 'commit' | 'answer'> {
  readonly calls: readonly NamedCall[];
  /** Is told now and then how many of the shared files were read. */
  onFiles(read: number, all: number): void;
}
