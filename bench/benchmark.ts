import type { Row } from './table.js';

export interface Benchmark {
  /** As given on the command line. */
  name: string;
  run(context: BenchmarkContext): Promise<Row[]>;
}

export interface BenchmarkContext {
  /** Small sizes, to see that a benchmark works; the figures mean nothing. */
  quick: boolean;
  /** Says how far it is. */
  say: (text: string) => void;
}
