import type { HistoryEntry, HistoryRun } from './history-entry.js';

/**
 * One run for each analysis, newest first, at most `limit`: callers who shared an analysis have a
 * run each, with one generated_at. Only as many runs are read as it takes to skip the others, of
 * which there can be hundreds: run ids and times grow together, so two runs of one analysis have
 * nothing but that analysis between them.
 */
export async function walkAnalyses(
  runIds: readonly string[],
  limit: number,
  load: (runId: string) => Promise<HistoryEntry>,
  found: (run: HistoryRun) => void,
): Promise<void> {
  const timeAt = async (index: number): Promise<string | null> => {
    const runId = runIds[index];
    if (runId === undefined) return null;
    const entry = await load(runId);
    return entry.state === 'read' ? entry.run.generatedAt : null;
  };
  let index = 0;
  for (let count = 0; index < runIds.length && count < limit; ) {
    const runId = runIds[index] ?? '';
    const entry = await load(runId);
    // Nothing came at all: the page went elsewhere.
    if (entry.state === 'waiting') return;
    if (entry.state === 'failed') {
      index += 1;
      continue;
    }
    found(entry.run);
    count += 1;
    index = await firstOther(index, async (at) => (await timeAt(at)) === entry.run.generatedAt);
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
