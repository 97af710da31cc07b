import { expect, test } from 'vitest';
import type { HistoryEntry } from './history-entry.js';
import { walkAnalyses } from './walk-analyses.js';

/** Run ids newest first; each letter is an analysis, "!" a run that cannot be read. */
async function walk(analyses: string, limit: number) {
  const runIds = Array.from(analyses, (_, index) => String(index));
  const read = new Set<string>();
  const found: string[] = [];
  const load = (runId: string): Promise<HistoryEntry> => {
    read.add(runId);
    const generatedAt = analyses[Number(runId)] ?? '';
    if (generatedAt === '!') {
      return Promise.resolve({ runId, state: 'failed', problem: { kind: 'unreachable' } });
    }
    const none = { systolic: null, diastolic: null, heart_rate: null };
    const cohort = {
      pod_count: 0,
      included_pod_count: 0,
      observation_count: 0,
      average_of_averages: none,
      pooled_average: none,
      spread_of_averages: none,
    };
    const run = { runId, generatedAt, cohort, pod: null, warnings: 0, undelivered: 0 };
    return Promise.resolve({ runId, state: 'read', run });
  };
  await walkAnalyses(runIds, { limit, load, found: (run) => found.push(run.generatedAt) > 0 });
  return { found: found.join(''), read: read.size };
}

test.each([
  ['', ''],
  ['a', 'a'],
  ['abc', 'abc'],
  ['aab', 'ab'],
  ['aaabbbbbccd', 'abcd'],
  ['a!b', 'ab'],
  ['!!a', 'a'],
  ['!', ''],
])('the analyses of the runs %j are %j', async (runs, expected) => {
  expect((await walk(runs, 30)).found).toBe(expected);
});

test('there are no more than asked for, and no more runs are read than that takes', async () => {
  expect(await walk('abcdef', 3)).toEqual({ found: 'abc', read: 3 });
});

test('hundreds of callers of one analysis cost a few runs', async () => {
  const runs = `${'a'.repeat(300)}${'b'.repeat(300)}c`;
  const { found, read } = await walk(runs, 30);
  expect(found).toBe('abc');
  expect(read).toBeLessThan(45);
});
