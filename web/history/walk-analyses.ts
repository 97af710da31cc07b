import type { HistoryEntry, HistoryRun } from './history-entry.js';

/** What a browser sends to one server at once. */
const AHEAD = 6;

interface Walk {
  /** How many analyses at most. */
  limit: number;
  load: (runId: string) => Promise<HistoryEntry>;
  /** Each as soon as it is read; false ends the walk. */
  found: (run: HistoryRun) => boolean;
}

/**
 * One run for each analysis, newest first: callers who shared an analysis have a run each, with one
 * generated_at. Only as many runs are read as it takes to skip the others, of which there can be
 * hundreds: run ids and times grow together, so between two runs of one analysis are only runs of it.
 */
export async function walkAnalyses(runIds: readonly string[], walk: Walk): Promise<void> {
  const read = async (index: number): Promise<HistoryRun | null> => {
    const runId = runIds[index];
    const entry = runId === undefined ? null : await walk.load(runId);
    return entry?.state === 'read' ? entry.run : null;
  };
  let index = 0;
  for (let count = 0; index < runIds.length && count < walk.limit; ) {
    const run = await read(index);
    if (run === null) {
      index += 1;
      continue;
    }
    count += 1;
    if (!walk.found(run) || count === walk.limit) return;
    const next = await firstOther(
      index,
      async (at) => (await read(at))?.generatedAt === run.generatedAt,
    );
    // Where each run is an analysis of its own, those that will be wanted are asked for together.
    if (next === index + 1) {
      const together = Math.min(AHEAD, walk.limit - count);
      for (const runId of runIds.slice(next + 1, next + together)) void walk.load(runId);
    }
    index = next;
  }
}

/** The first place after `from` that is not the same: steps that double, then halves. */
async function firstOther(
  from: number,
  isSame: (index: number) => Promise<boolean>,
): Promise<number> {
  let step = 1;
  while (await isSame(from + step)) step *= 2;
  let [same, other] = [from + Math.floor(step / 2), from + step];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (await isSame(middle)) same = middle;
    else other = middle;
  }
  return other;
}
