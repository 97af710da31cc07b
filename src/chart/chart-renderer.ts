import { extname } from 'node:path';
import { Piscina } from 'piscina';
import { AnalyserError, messageOf } from '../base/errors.js';
import type { ChartInput } from './chart-input.js';

export interface ChartRenderer {
  /** True, or the reason why no chart can be drawn here. */
  available(): Promise<true | string>;
  /** Has the thread ready for a chart that is soon to be drawn. */
  warmUp(): void;
  /** A PNG. Drawn on another thread, because it keeps one busy for a tenth of a second. */
  draw(input: ChartInput, signal?: AbortSignal): Promise<Buffer>;
  close(): Promise<void>;
}

const sample: ChartInput = {
  readings: [{ time: 0, systolic: 120, diastolic: 80, heart_rate: 60 }],
  own: { systolic: 120, diastolic: 80, heart_rate: 60 },
  cohort: null,
};

/** A thread that cannot even start is tried again without end; a chart takes a tenth of a second. */
const LONGEST_MS = 30_000;

const worker = new URL(`./chart-worker${extname(import.meta.url)}`, import.meta.url).href;

/** Starts no thread before one is wanted, and keeps no process alive. */
export function createChartRenderer(): ChartRenderer {
  const pool = new Piscina<ChartInput, Uint8Array>({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 60_000,
    // A thread that waits in the usual way never gets round to giving back what the pictures took
    // outside its heap, eight megabytes each.
    atomics: 'disabled',
    // So that it looks for what can go after every picture, not after many.
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  // A thread that dies between two charts is replaced at the next; without a listener it
  // would take the process along.
  pool.on('error', () => {});

  let works = false;

  async function draw(input: ChartInput, signal?: AbortSignal): Promise<Buffer> {
    signal?.throwIfAborted();
    const limit = AbortSignal.timeout(LONGEST_MS);
    try {
      // Named here and not for the pool, a worker file that cannot load fails this chart alone.
      const stop = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const task = { filename: worker, name: 'renderChart', signal: stop };
      const png = Buffer.from(await pool.run(input, task));
      works = true;
      return png;
    } catch (error) {
      signal?.throwIfAborted();
      const reason = limit.aborted ? 'its thread gave no answer' : messageOf(error);
      throw new AnalyserError(
        'configuration',
        `The charting library failed (${reason}). Install the packages again, or set output.render_charts to false.`,
        { cause: error },
      );
    }
  }

  return {
    draw,
    warmUp() {
      // What is wrong will show with the chart itself.
      if (pool.threads.length === 0) draw(sample).catch(() => undefined);
    },
    async available() {
      if (works) return true;
      return draw(sample).then(
        () => true as const,
        (error: unknown) => messageOf(error),
      );
    },
    close: () => pool.destroy(),
  };
}
