import { expect, test } from 'vitest';
import { type GivenRow, podOf, readWith, rowIn } from '../../../test/support/table.js';
import { isUnfinished } from './fate.js';
import { judgeRows } from './judge-rows.js';
import { addFolderOf, Folder, isIn, keyText, lendingFolder, MOST_UNNAMED, Row } from './row.js';

const root = 'https://pods.example/anna/';
const key = Buffer.alloc(32, 7);
const folderOf = (nth: number) => `${root}app/data/${nth}/`;
const fileOf = (nth: number) => `${folderOf(nth)}one.enc.ttl`;

function podWithFolders(count: number, named: readonly string[] = []) {
  const rows: Record<string, GivenRow> = {};
  for (const url of named) rows[url] = { mayHaveEntry: true };
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

test('a file adds no folder that was read before, says no folder, or was not read', () => {
  const known = { url: fileOf(0), ownKey: key, missingOn: [] };
  const pod = podOf(root, {
    [fileOf(0)]: { known, outcome: readWith(key, folderOf(0)) },
    [fileOf(1)]: { outcome: readWith(key) },
    [fileOf(2)]: {},
  });
  const added = [...pod.rows.values()].map((row) => addFolderOf(pod, row));
  expect(added).toEqual([null, null, null]);
  expect([pod.folders.size, pod.unnamed]).toEqual([0, []]);
});

test('what is asked for without anything else has no key, and takes none from a folder', () => {
  const known = { url: fileOf(0), ownKey: null, missingOn: [] };
  for (const row of [new Row({ url: fileOf(0) }), new Row({ url: fileOf(0), known })]) {
    expect([row.keys, row.otherHolders, lendingFolder(row)]).toEqual([[], new Set(), null]);
  }
});

test('keys are compared by what they hold, and no key is among none', () => {
  const [same, other] = [Buffer.from(key), Buffer.alloc(32, 8)];
  expect([key, other, null].map((one) => isIn([same], one))).toEqual([true, false, false]);
  expect([key, other].map((one) => isIn([other, same], one))).toEqual([true, true]);
  expect(isIn([], key)).toBe(false);
  expect(keyText(key)).toBe(keyText(same));
  expect([keyText(other) === keyText(key), keyText(null)]).toEqual([false, '']);
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

test('a folder is named by an entry or by the memory, not by a file alone', () => {
  const [entry, known] = [{ mayHaveEntry: true }, { known: { key: null } }];
  const named = [{}, entry, known].map(
    (given) => new Folder({ url: folderOf(0), ...given }).isNamed,
  );
  expect(named).toEqual([false, true, true]);
});

test('a file that its folder lists stands among its files once', () => {
  const folder = new Folder({ url: folderOf(0) });
  const alone = new Row({ url: fileOf(0) });
  const inFolder = new Row({ url: fileOf(1), folder });
  for (const row of [alone, inFolder]) row.listedBy(folder);
  expect(folder.files).toEqual([inFolder, alone]);
  expect([alone, inFolder].map((row) => [row.folder, row.isListed])).toEqual([
    [folder, true],
    [folder, true],
  ]);
});

test('of a file that counts some readings can be let go, and of others there are none', () => {
  const reading = { time: 1, offset: 0, systolic: 120, diastolic: 80, heart_rate: null };
  const row = new Row({ url: fileOf(0) });
  row.keepReadings(() => true);
  expect(row.read).toBeNull();
  row.outcome = { ...readWith(key), readings: [reading, { ...reading, time: 2 }] };
  row.keepReadings(({ time }) => time === 2);
  expect(row.read?.readings).toEqual([{ ...reading, time: 2 }]);
});
