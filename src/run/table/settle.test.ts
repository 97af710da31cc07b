import { describe, expect, test, vi } from 'vitest';
import {
  type GivenRow,
  listed as isListed,
  keyedDigest,
  podOf,
  readWith,
  standing,
} from '../../../test/support/table.js';
import type { CountedSums } from '../../analysis/sums.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { copiedBy, foreignKey, noRoom, notAsked, notRead, notYet } from '../../pod/outcome.js';
import type { FileOutcome } from './row.js';
import { DAYS_OF_PATIENCE, type SettlingRules, settle, sumsThatCount } from './settle.js';

const root = 'https://pods.example/anna/';
const folder = `${root}app/data/`;
const one = `${folder}one.enc.ttl`;
const two = `${folder}two.enc.ttl`;
const three = `${folder}three.enc.ttl`;
const key = Buffer.alloc(32, 7);
const other = Buffer.alloc(32, 8);
const TODAY = 20_000;
const rules: SettlingRules = { rulesDigest: 'r', windowDays: null, today: TODAY, keyedDigest };

const read: GivenRow = { keys: [key], outcome: readWith(key) };
const listed: GivenRow = { keys: [key], outcome: isListed };
/** Of a folder that lists it, with the key of this folder. */
const taking = (ofFolder: Buffer): GivenRow => ({
  isListed: true,
  outcome: readWith(ofFolder, folder),
});
const inFolder = taking(key);
const plainInFolder: GivenRow = { isListed: true, outcome: readWith(null) };
const silent: GivenRow = { outcome: notRead('silence', '') };
const late: GivenRow = { outcome: notAsked };
const ended: GivenRow = { outcome: notRead('refused', '') };
const keyless: GivenRow = { outcome: notRead('no key', '') };
const empty: GivenRow = { outcome: notRead('no reading', '') };
const spoilt: GivenRow = { outcome: foreignKey };
const writable: GivenRow = { outcome: notRead('writable', '') };

const sumsOf = (average: number): CountedSums => {
  const measure = { sum: 200 * average, count: 2 };
  return {
    observation_count: 2,
    measures: { systolic: measure, diastolic: measure, heart_rate: measure },
  };
};

function step(
  memory: Memory,
  rows: Record<string, GivenRow>,
  average: number | null,
  changes: Partial<SettlingRules> = {},
) {
  const pod = podOf(root, rows, memory);
  const sums = average === null ? null : sumsOf(average);
  return settle(memory, [{ ...pod, sums }], { ...rules, today: TODAY + 1, ...changes });
}

/** What is remembered after one analysis in which both files were read. */
function remembering(average = 120): Memory {
  return step(emptyMemory(), { [one]: read, [two]: read }, average, { today: TODAY }).memory;
}

/** The same of a shared folder. */
function rememberingFolder(): Memory {
  const rows = { [folder]: listed, [one]: inFolder, [two]: inFolder };
  return step(emptyMemory(), rows, 120, { today: TODAY }).memory;
}

const podIn = ({ pods }: Memory) => pods.get(root);
const sharesIn = (memory: Memory) => [...(podIn(memory)?.shares.keys() ?? [])];
const foldersIn = (memory: Memory) => [...(podIn(memory)?.folders ?? [])];
const shareIn = (memory: Memory, url: string) => podIn(memory)?.shares.get(url);
/** The average of the systolic readings with which the Pod counts. */
const countedIn = (settled: ReturnType<typeof settle>) => {
  const measure = sumsThatCount(settled).get(root)?.measures.systolic;
  return measure === undefined ? null : measure.sum / measure.count / 100;
};

describe('what was read', () => {
  test('is remembered with its key and with the figures of the day', () => {
    const memory = remembering();
    expect(shareIn(memory, one)).toEqual({ url: one, ownKey: key, missingOn: [] });
    expect(podIn(memory)?.sums).toEqual({ ...sumsOf(120), day: TODAY, rules: 'r' });
    expect([...memory.claims]).toEqual([[keyedDigest('key', key), [keyedDigest('root', root)]]]);
    const later = step(memory, { [one]: read, [two]: read }, 130, { today: TODAY + 9 });
    expect(podIn(later.memory)?.sums).toMatchObject({ ...sumsOf(130), day: TODAY + 9 });
  });

  test('[3.1] in plain keeps its earlier key, which the app uses again', () => {
    const plain = { outcome: readWith(null) };
    const { memory } = step(remembering(), { [one]: plain, [two]: read }, 120);
    expect(shareIn(memory, one)?.ownKey).toEqual(key);
  });
});

test('[5.5] an entry about a Pod of which nothing remembered is in view changes nothing of it', () => {
  const memory = remembering();
  const settled = step(memory, { [three]: ended }, null);
  expect(settled.memory.pods).toEqual(memory.pods);
  expect(sumsThatCount(settled).size).toBe(0);
});

test('[4.3][5.2] a withdrawal is seen, although somebody names another address in the Pod', () => {
  const settled = step(remembering(), { [one]: ended, [two]: ended, [three]: ended }, null);
  expect(settled.memory.pods.size).toBe(0);
  expect(settled.standings.get(root)).toEqual({ kind: 'empty' });
});

describe('a missing share', () => {
  test.each([
    ['without an answer', silent, [TODAY + 1]],
    ['because of others', spoilt, [TODAY + 1]],
    ['for want of time', late, []],
  ])('[5.1] %s lets its Pod count as before, whole', (_name, row, days) => {
    const settled = step(remembering(), { [one]: row, [two]: read }, 200);
    expect(countedIn(settled)).toBe(120);
    expect(settled.standings.get(root)).toMatchObject({ kind: 'carried', day: TODAY });
    expect(shareIn(settled.memory, one)?.missingOn).toEqual(days);
    expect(podIn(settled.memory)?.sums?.day).toBe(TODAY);
  });

  test('[5.4][T8] is let go after ten days on which it was asked for, however far apart', () => {
    let memory = remembering();
    const rows = { [one]: silent, [two]: silent };
    for (let count = 1; count < DAYS_OF_PATIENCE; count += 1) {
      for (const today of [TODAY + 30 * count, TODAY + 30 * count]) {
        const settled = step(memory, rows, null, { today });
        expect(settled.letGo).toEqual([]);
        memory = settled.memory;
      }
    }
    // A day on which there was no time for it is no evidence.
    memory = step(memory, { [one]: late, [two]: late }, null, { today: TODAY + 900 }).memory;
    expect(sharesIn(memory)).toEqual([one, two]);
    const last = step(memory, rows, null, { today: TODAY + 1000 });
    expect(last.letGo).toEqual([one, two]);
    expect(sharesIn(last.memory)).toEqual([]);
    expect(sumsThatCount(last).size).toBe(0);
    // Nobody else gets to use its keys.
    expect(last.memory.claims).toEqual(memory.claims);
  });

  test.each([
    ['read', read],
    ['overwritten', empty],
  ])('[5.4] begins to count anew when it was %s in between', (_name, row) => {
    const { memory } = step(remembering(), { [one]: silent, [two]: read }, 1);
    expect(shareIn(memory, one)?.missingOn).toEqual([TODAY + 1]);
    const after = step(memory, { [one]: row, [two]: read }, 121, { today: TODAY + 2 });
    expect(shareIn(after.memory, one)?.missingOn).toEqual([]);
  });

  test('[5.1][5.3] of a Pod whose earlier figures are older than the window keeps it out', () => {
    const rows = { [one]: silent, [two]: read };
    const last = step(remembering(), rows, 200, { today: TODAY + 30, windowDays: 30 });
    expect(countedIn(last)).toBe(120);
    const settled = step(remembering(), rows, 200, { today: TODAY + 31, windowDays: 30 });
    expect(standing(settled, 'out')).toEqual([root]);
    expect(countedIn(settled)).toBeNull();
  });

  test('[5.3] of a Pod that counted under other rules is told as such', () => {
    const rows = { [one]: silent, [two]: read };
    const settled = step(remembering(), rows, 200, { rulesDigest: 'other' });
    expect(standing(settled, 'outdated')).toEqual([root]);
    expect(countedIn(settled)).toBeNull();
  });

  test('because of others keeps no Pod out that never counted', () => {
    const { memory } = step(emptyMemory(), { [one]: read, [two]: late }, 120);
    expect(countedIn(step(memory, { [one]: spoilt, [two]: read }, 130))).toBe(130);
  });
});

describe('what was never read, and not asked for', () => {
  test('[5.3] keeps a Pod without figures out, however often it is read in part; what was read is remembered', () => {
    let memory = emptyMemory();
    for (let time = 0; time < 3; time += 1) {
      const settled = step(memory, { [one]: read, [two]: late }, 120);
      expect(countedIn(settled)).toBeNull();
      expect(standing(settled, 'out')).toEqual([root]);
      expect(sharesIn(settled.memory)).toEqual([one]);
      expect(podIn(settled.memory)?.sums).toBeNull();
      memory = settled.memory;
    }
    expect(countedIn(step(memory, { [one]: read, [two]: read }, 130))).toBe(130);
  });

  test.each([
    ['is not there', ended],
    ['gives no answer', silent],
    ['cannot be opened', keyless],
  ])('[5.5] keeps a new Pod out no more, once it was asked for and %s', (_name, row) => {
    const { memory } = step(emptyMemory(), { [one]: read, [two]: late }, 120);
    expect(countedIn(step(memory, { [one]: read, [two]: row }, 120))).toBe(120);
  });

  test('[5.3] may stand in an inbox that was not read: only a Pod that counted before does', () => {
    const { memory } = step(emptyMemory(), { [one]: read, [two]: late }, 120);
    const settledWithout = (before: Memory) => {
      const pod = { ...podOf(root, { [one]: read }, before), mayShareMore: true };
      return settle(before, [{ ...pod, sums: sumsOf(130) }], rules);
    };
    expect(countedIn(settledWithout(memory))).toBeNull();
    expect(countedIn(settledWithout(remembering()))).toBe(130);
  });

  test('[5.2][5.3][5.5] keeps a Pod with figures not out, but does while one of its shares ends', () => {
    const rows = { [one]: read, [two]: read, [three]: late };
    expect(countedIn(step(remembering(), rows, 130))).toBe(130);
    const withdrawn = step(remembering(), { ...rows, [two]: ended }, 150);
    expect(countedIn(withdrawn)).toBeNull();
    expect(sharesIn(withdrawn.memory)).toEqual([one]);
    expect(podIn(withdrawn.memory)?.sums).toBeNull();
  });
});

describe('a share that has ended', () => {
  test('[T8][5.2] is forgotten at once, but not its key, and the Pod with the last one', () => {
    const settled = step(remembering(), { [one]: ended, [two]: ended }, null);
    expect(sumsThatCount(settled).size).toBe(0);
    expect(settled.memory.pods.size).toBe(0);
    expect(settled.memory.claims.size).toBe(1);
  });

  test.each([
    ['gives no answer', silent],
    ['is not asked', late],
  ])('[5.2] takes the figures with it: the Pod is out while what is left %s', (_name, row) => {
    let settled = step(remembering(), { [one]: ended, [two]: row }, null);
    expect(countedIn(settled)).toBeNull();
    settled = step(settled.memory, { [two]: row }, null, { today: TODAY + 2 });
    expect(countedIn(settled)).toBeNull();
    expect(standing(settled, 'out')).toEqual([root]);
    const last = step(settled.memory, { [two]: read }, 140, { today: TODAY + 3 });
    expect(countedIn(last)).toBe(140);
  });

  test('lets the rest count that its owner has overwritten, or others have spoilt', () => {
    const rows = { [one]: read, [two]: read, [three]: read };
    const { memory } = step(remembering(), rows, 120);
    const after = { [one]: ended, [two]: empty, [three]: spoilt };
    expect(countedIn(step(memory, after, 110, { today: TODAY + 2 }))).toBe(110);
  });
});

test('a share in whose place its owner has put something else is answered, and stays', () => {
  const settled = step(remembering(), { [one]: empty, [two]: read }, 150);
  expect(countedIn(settled)).toBe(150);
  expect(sharesIn(settled.memory)).toEqual([one, two]);
});

test('the figures of readings that were all overwritten never count again', () => {
  const settled = step(remembering(), { [one]: empty, [two]: empty }, null);
  const silentSince = step(settled.memory, { [one]: silent, [two]: empty }, null);
  expect([settled, silentSince].map(countedIn)).toEqual([null, null]);
});

describe('new files for which the memory has no room', () => {
  const waiting: GivenRow = { keys: [other], outcome: noRoom(other) };

  test('[5.3] keep a Pod out of which nothing counted before, also what of it is remembered: it could be a part', () => {
    const fresh = step(emptyMemory(), { [one]: waiting }, null);
    expect([standing(fresh, 'out'), sharesIn(fresh.memory)]).toEqual([[root], []]);
    const part = step(emptyMemory(), { [one]: read, [two]: late }, 120).memory;
    expect([sharesIn(part), podIn(part)?.sums]).toEqual([[one], null]);
    const rest = step(part, { [one]: read, [two]: waiting }, 120);
    expect([standing(rest, 'out'), sharesIn(rest.memory)]).toEqual([[root], [one]]);
  });

  test('[5.5] leave a Pod that counted before as it is', () => {
    const settled = step(remembering(), { [one]: read, [two]: read, [three]: waiting }, 120);
    expect([countedIn(settled), sharesIn(settled.memory)]).toEqual([120, [one, two]]);
  });
});

describe('a shared folder', () => {
  test('is remembered with the key that opened a file which takes it, and its files by name', () => {
    const memory = rememberingFolder();
    expect(foldersIn(memory)).toEqual([[folder, key]]);
    expect(sharesIn(memory)).toEqual([one, two]);
    expect(shareIn(memory, one)?.ownKey).toBeNull();
  });

  test.each<[string, GivenRow, GivenRow, Buffer | null | undefined]>([
    [
      'whose key opens nothing',
      { ...listed, keys: [other] },
      { ...read, isListed: true },
      undefined,
    ],
    [
      'whose key opens a file that does not take it',
      listed,
      { ...read, isListed: true },
      undefined,
    ],
    ['whose key opens nothing that it lists', listed, { ...inFolder, isListed: false }, undefined],
    ['that lists plain files', { outcome: isListed }, plainInFolder, null],
    ['to which others may write', { ...listed, ...writable }, inFolder, undefined],
  ])('[4.8] %s is remembered with this key: %#', (_name, ofFolder, ofFile, expected) => {
    const { memory } = step(emptyMemory(), { [folder]: ofFolder, [one]: ofFile }, 120);
    expect(sharesIn(memory)).toEqual([one]);
    expect(podIn(memory)?.folders.get(folder)).toEqual(expected);
  });

  test.each<[string, Buffer[], GivenRow[], Buffer]>([
    [
      'keeps its key while it opens a file that takes it',
      [key, other],
      [taking(other), inFolder],
      key,
    ],
    [
      'takes over a new key that opens more of the files that take it',
      [key, other],
      [taking(other), taking(other), taking(key)],
      other,
    ],
    ['takes over a new key that opens a file which takes it', [key, other], [taking(other)], other],
    [
      'keeps its key when the new one is that of a file',
      [key, other],
      [{ ...read, outcome: readWith(other) }, silent],
      key,
    ],
    ['keeps its key while its files give no answer', [key, other], [silent, silent], key],
  ])('%s', (_, keys, [ofOne = {}, ofTwo = ended, ofThree = ended], expected) => {
    const around = { keys, outcome: isListed };
    const rows = { [folder]: around, [one]: ofOne, [two]: ofTwo, [three]: ofThree };
    expect(foldersIn(step(rememberingFolder(), rows, 120).memory)).toEqual([[folder, expected]]);
  });

  test('is remembered for its plain files whatever lies beside them, and not for a file with a key of its own', () => {
    const plain = step(emptyMemory(), { [one]: { outcome: readWith(null) } }, 120).memory;
    const around = { [folder]: { outcome: isListed }, [two]: { ...read, isListed: true } };
    expect(foldersIn(step(plain, { ...around, [one]: plainInFolder }, 120).memory)).toEqual([
      [folder, null],
    ]);
    expect(foldersIn(step(plain, { ...around, [one]: silent }, 120).memory)).toEqual([]);
  });

  test('stays while a file has its key, also one that had this key before', () => {
    const before = step(emptyMemory(), { [one]: read }, 120, { today: TODAY }).memory;
    const rows = { [folder]: listed, [one]: silent, [two]: inFolder };
    const { memory } = step(before, rows, 120);
    const after = step(memory, { [folder]: silent, [one]: silent, [two]: ended }, null).memory;
    expect([sharesIn(after), foldersIn(after)]).toEqual([[one], [[folder, key]]]);
  });

  test('leaves each file a key that opens it, whoever gave the file this key', () => {
    for (const keys of [[], [key]]) {
      const rows = {
        [folder]: { keys: [key, other], outcome: isListed },
        [one]: taking(other),
        [two]: { ...inFolder, keys },
        // It says so of another folder.
        [three]: { ...read, outcome: readWith(key, `${folder}further/`) },
      };
      const { memory } = step(rememberingFolder(), rows, 120);
      expect([one, two, three].map((url) => shareIn(memory, url)?.ownKey)).toEqual([
        other,
        null,
        key,
      ]);
    }
  });

  test('is searched once for the keys of its files, however many strangers have added', () => {
    const junk = Array.from({ length: 500 }, (_, nth) => Buffer.alloc(32, `junk ${nth}`));
    const many = Array.from({ length: 100 }, (_, nth) => `${folder}${nth}.enc.ttl`);
    const files = Object.fromEntries(many.map((url) => [url, inFolder]));
    const compared = vi.spyOn(Buffer.prototype, 'equals');
    const around = { keys: [...junk, key], outcome: isListed };
    const { memory } = step(emptyMemory(), { [folder]: around, ...files }, 120);
    expect(compared.mock.calls.length).toBeLessThan(junk.length);
    compared.mockRestore();
    expect(foldersIn(memory)).toEqual([[folder, key]]);
  });

  test('leaves a file in plain the key that it had', () => {
    const plain = (known: Memory) =>
      step(known, { [folder]: listed, [one]: plainInFolder, [two]: inFolder }, 1);
    expect(shareIn(plain(rememberingFolder()).memory, one)?.ownKey).toBeNull();
    const { memory } = step(
      emptyMemory(),
      { [one]: { ...read, keys: [other], outcome: readWith(other) } },
      1,
    );
    expect(shareIn(plain(memory).memory, one)?.ownKey).toEqual(other);
  });

  test('[5.2] loses one file by itself, even while its neighbour is silent', () => {
    const rows = { [folder]: listed, [one]: ended, [two]: { ...silent, isListed: true } };
    const settled = step(rememberingFolder(), rows, null);
    expect(sharesIn(settled.memory)).toEqual([two]);
    expect(countedIn(settled)).toBeNull();
    expect(podIn(settled.memory)?.sums).toBeNull();
  });

  test('is forgotten with the last file that takes its key, however it is asked for', () => {
    const alone = { [folder]: listed, [one]: { ...inFolder, keys: [key] }, [two]: ended };
    expect(foldersIn(step(rememberingFolder(), alone, 120).memory)).toEqual([[folder, key]]);
    for (const around of [ended, silent, late, listed, {}]) {
      const rows = { [folder]: around, [one]: ended, [two]: ended };
      const after = step(rememberingFolder(), rows, null).memory;
      expect(after.pods.size).toBe(0);
      const withAnother = { ...rows, [three]: { keys: [other], outcome: readWith(other) } };
      const { memory } = step(rememberingFolder(), withAnother, 120);
      expect([foldersIn(memory), sharesIn(memory)]).toEqual([[], [three]]);
    }
  });

  test.each([
    ['is refused', ended],
    ['gives no answer', silent],
    ['lists none of them', listed],
  ])('that %s takes nothing from its files: they count while they are given', (_, around) => {
    const rows = {
      [folder]: around,
      [one]: { ...inFolder, isListed: false },
      [two]: { ...inFolder, isListed: false },
    };
    const settled = step(rememberingFolder(), rows, 125);
    expect(settled.standings.get(root)).toMatchObject({ kind: 'whole' });
    expect(settled.memory.pods.get(root)).toMatchObject({
      shares: rememberingFolder().pods.get(root)?.shares,
      folders: new Map([[folder, key]]),
    });
  });

  test('[5.1] opens a file no more: that file is missing', () => {
    const rows = { [folder]: listed, [one]: { ...keyless, isListed: true }, [two]: inFolder };
    const settled = step(rememberingFolder(), rows, 125);
    expect(countedIn(settled)).toBe(120);
    expect(shareIn(settled.memory, one)?.missingOn).toEqual([TODAY + 1]);
  });

  test('[T10] to which others may write keeps its files, which do not count', () => {
    const rows = { [folder]: { ...listed, ...writable }, [one]: writable, [two]: writable };
    const settled = step(rememberingFolder(), rows, null);
    expect(countedIn(settled)).toBeNull();
    expect([sharesIn(settled.memory), foldersIn(settled.memory)]).toEqual([
      [one, two],
      [[folder, key]],
    ]);
  });
});

describe('a key', () => {
  const doctor = 'https://pods.example/doctor/';
  const copy = `${doctor}app/data/copy.enc.ttl`;
  const contested: GivenRow = { keys: [key], outcome: copiedBy(key) };
  const both = (memory: Memory, ofAnna: GivenRow, ofDoctor: GivenRow) =>
    settle(
      memory,
      [
        { ...podOf(root, { [one]: ofAnna }, memory), sums: null },
        { ...podOf(doctor, { [copy]: ofDoctor }, memory), sums: null },
      ],
      rules,
    );

  test('[T7][T8] that two new Pods have is contested by them, and by nobody who comes later', () => {
    const { memory } = both(emptyMemory(), contested, contested);
    const owners = [keyedDigest('root', root), keyedDigest('root', doctor)];
    expect([...memory.claims.values()]).toEqual([owners]);
    const late = both(memory, read, contested);
    expect(late.memory.claims).toEqual(memory.claims);
  });

  test('[5.6] is claimed by a file that waits for others of its Pod, before a copy can be the first', () => {
    const { memory } = both(emptyMemory(), { keys: [key], outcome: notYet(key) }, silent);
    expect(
      both(emptyMemory(), { keys: [key], outcome: noRoom(key) }, silent).memory.claims,
    ).toEqual(memory.claims);
    expect([...memory.claims.values()]).toEqual([[keyedDigest('root', root)]]);
  });
});

test('a new Pod of which nothing could be asked is out, and not empty', () => {
  const fresh = step(emptyMemory(), { [one]: late }, null);
  expect([standing(fresh, 'out'), standing(fresh, 'empty')]).toEqual([[root], []]);
});

test('a remembered Pod of which only new files are in view counts with them, and what was remembered stays', () => {
  const settled = step(
    remembering(),
    { [three]: { keys: [other], outcome: readWith(other) } },
    150,
  );
  expect(countedIn(settled)).toBe(150);
  expect(sharesIn(settled.memory)).toEqual([one, two, three]);
});

test('[5.6] a key is claimed by what counts or waits, not by what is perhaps of somebody else', () => {
  const claimedBy = (outcome: FileOutcome) => [
    ...step(emptyMemory(), { [one]: { keys: [key], outcome } }, null).memory.claims.keys(),
  ];
  expect(claimedBy(readWith(key))).toEqual([keyedDigest('key', key)]);
  expect(claimedBy(copiedBy(key))).toEqual([keyedDigest('key', key)]);
  expect(claimedBy({ ...foreignKey, key })).toEqual([]);
  expect(claimedBy({ ...notRead('writable', ''), key })).toEqual([]);
  expect(claimedBy(readWith(null))).toEqual([]);
});
