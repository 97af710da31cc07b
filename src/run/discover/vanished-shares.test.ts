import { expect, test } from 'vitest';
import { samplePod } from '../../../test/support/results-sample.js';
import { findVanishedShares } from './vanished-shares.js';

/** Pods by their numbers of files: in the run before, and now. */
function warn(before: number[], now: number[]): string | null {
  const pods = before.map((files, index) => ({
    ...samplePod(`pods.example-p${index}`),
    files_read: files - 1,
    files_skipped: 1,
  }));
  const shared = pods.map(({ web_id, pod_id, pod_root }, index) => ({
    owner: { webId: web_id, podId: pod_id, root: pod_root, rootIs: 'certain' as const },
    filesRead: now[index] ?? 0,
    filesSkipped: 0,
  }));
  const run_id = '20260819T091500Z';
  return findVanishedShares(
    { run_id, pods },
    shared.filter(({ filesRead }) => filesRead > 0),
  );
}

const times = (count: number, value: number) => Array.from({ length: count }, () => value);

test.each([
  ['nobody was there', [], []],
  ['all are still there', [3, 3], [3, 3]],
  ['one of two left', [3, 3], [3]],
  ['two of five left', [3, 3, 3, 3, 3], [3, 3, 3]],
  ['ten of thirty left', times(30, 3), times(20, 3)],
  ['somebody shares less, and others more', [40, 40], [15, 200]],
])('nothing stands out when %s', (_, before, now) => {
  expect(warn(before, now)).toBeNull();
});

test.each([
  ['two of four left', times(4, 3), times(2, 3), '2 of the 4 Pods'],
  ['eleven of a hundred left', times(100, 3), times(89, 3), '11 of the 100 Pods'],
  ['half of the files are gone', [40, 40], [20, 18], '42 of the 80 files'],
])('a warning when %s', (_, before, now, what) => {
  expect(warn(before, now)).toMatch(
    new RegExp(`^${what} of run 20260819T091500Z are no longer shared\\..* permission log\\.$`),
  );
});
