import { expect, test } from 'vitest';
import { type GivenRow, podOf, readWith, rowIn } from '../../../test/support/table.js';
import { isUnfinished } from './fate.js';
import { judgeRows } from './judge-rows.js';
import { addFolderOf, MOST_UNNAMED } from './row.js';

const root = 'https://pods.example/anna/';
const key = Buffer.alloc(32, 7);
const folderOf = (nth: number) => `${root}app/data/${nth}/`;
const fileOf = (nth: number) => `${folderOf(nth)}one.enc.ttl`;

function podWithFolders(count: number, named: readonly string[] = []) {
  const rows: Record<string, GivenRow> = {};
  for (const url of named) rows[url] = { hasEntry: true };
  for (let nth = 0; nth < count; nth += 1) {
    rows[fileOf(nth)] = { keys: [key], outcome: readWith(key, folderOf(nth)) };
  }
  return podOf(root, rows);
}

test('a folder that files name is added once, and one that is named already is not', () => {
  const pod = podWithFolders(2, [folderOf(0)]);
  expect(addFolderOf(pod, rowIn(pod, fileOf(0)))).toBeNull();
  expect(addFolderOf(pod, rowIn(pod, fileOf(1)))?.url).toBe(folderOf(1));
  expect(addFolderOf(pod, rowIn(pod, fileOf(1)))).toBeNull();
});

test('folders without end are not asked for, and what takes its key from these waits', () => {
  const pod = podWithFolders(MOST_UNNAMED + 2, [folderOf(0)]);
  const added = [...pod.rows.values()].filter((row) => addFolderOf(pod, row) !== null);
  expect(added).toHaveLength(MOST_UNNAMED);
  const last = fileOf(MOST_UNNAMED + 1);
  expect(pod.folders.get(folderOf(MOST_UNNAMED + 1))?.outcome).toMatchObject({
    because: 'not asked',
    reason: 'its files take their keys from more than 100 folders',
  });
  judgeRows([pod]);
  expect(rowIn(pod, last).outcome).toMatchObject({ because: 'not yet' });
  expect(isUnfinished(pod)).toBe(true);
});
