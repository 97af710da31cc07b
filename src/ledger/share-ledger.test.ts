import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLedgerSeal } from './ledger-seal.js';
import {
  LEDGER_FILE,
  type LedgerOptions,
  type SharedRecords,
  ShareLedger,
} from './share-ledger.js';

const masterKey = Buffer.alloc(32, 1);
const keyOf = (byte: number) => Buffer.alloc(32, byte);
const anna = 'https://pods.example/anna/';
const ben = 'https://pods.example/ben/';
const none = { read: [], ended: [], opened: [] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bp-ledger-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function open(options: LedgerOptions = {}, place = folder): Promise<ShareLedger> {
  const ledger = new ShareLedger(place, masterKey, options);
  expect(await ledger.refresh()).toEqual([]);
  return ledger;
}

const read = (url: string, root: string, byte: number) => ({
  ...{ url, spelling: url, root },
  key: keyOf(byte),
});
const urlsOf = (ledger: ShareLedger) => [...ledger.shares()].map(({ url }) => url).sort();

test('wherever the file is cut off, what was written before is whole', async () => {
  const ledger = await open();
  await ledger.record({ ...none, read: [read(`${anna}1`, anna, 1)] });
  const first = await readFile(join(folder, LEDGER_FILE));
  await ledger.record({ ...none, read: [read(`${anna}2`, anna, 2), read(`${anna}3`, anna, 3)] });
  const whole = await readFile(join(folder, LEDGER_FILE));
  for (let length = first.length; length <= whole.length; length += 1) {
    await writeFile(join(folder, LEDGER_FILE), whole.subarray(0, length));
    const again = await open();
    expect(urlsOf(again)).toContain(`${anna}1`);
    if (length % 7 !== 0) continue;
    await again.record({ ...none, read: [read(`${anna}4`, anna, 4)] });
    expect(urlsOf(await open())).toEqual([...new Set([...urlsOf(again), `${anna}4`])].sort());
  }
});

test('one Pod that is full keeps nobody else out, and says so', async () => {
  const ledger = await open({ mostPerPod: 6 });
  const many = Array.from({ length: 9 }, (_, index) => read(`${anna}${index}`, anna, index + 1));
  expect(await ledger.record({ ...none, read: many })).toEqual(new Set([anna]));
  expect(urlsOf(ledger)).toHaveLength(3);
  expect(await ledger.record({ ...none, read: [read(`${ben}1`, ben, 99)] })).toEqual(new Set());
  expect(urlsOf(await open())).toHaveLength(4);
});

test('a key stays its Pod’s when the share has ended and after forgetting; with all it goes', async () => {
  const ledger = await open();
  await ledger.record({ ...none, read: [read(`${anna}1`, anna, 1)] });
  const elsewhere = { url: `${ben}1`, root: ben };
  await ledger.record({ ...none, ended: [`${anna}1`] });
  expect((await open()).isForeign(keyOf(1), elsewhere)).toBe(true);
  await ledger.forget(anna);
  expect((await open()).isForeign(keyOf(1), elsewhere)).toBe(true);
  await ledger.forget(null);
  expect((await open()).isForeign(keyOf(1), elsewhere)).toBe(false);
  await ledger.record({ ...none, read: [read(`${anna}1`, anna, 1)] });
  expect((await open()).isForeign(keyOf(1), elsewhere)).toBe(true);
});

test('the file is rewritten when most of it no longer counts, and says the same', async () => {
  const ledger = await open();
  const shares = Array.from({ length: 20 }, (_, index) => read(`${anna}${index}`, anna, 1));
  for (let round = 0; round < 35; round += 1) {
    await ledger.record({ ...none, read: shares });
    await ledger.record({ ...none, ended: shares.map(({ url }) => url) });
  }
  await ledger.record({ ...none, read: shares.slice(0, 1) });
  expect((await readFile(join(folder, LEDGER_FILE))).length).toBeLessThan(120_000);
  expect(urlsOf(await open())).toEqual([`${anna}0`]);
});

/** As a store that several machines reach. */
function createSet(): { join(): SharedRecords; lose(): void; all: Map<string, Buffer> } {
  let all = new Map<string, Buffer>();
  const add = (records: readonly Buffer[]) => {
    for (const record of records) all.set(record.toString('base64'), record);
    return Promise.resolve();
  };
  return {
    all,
    lose: () => {
      all = new Map();
    },
    join: () => ({
      add,
      fetch: async (own) => {
        if (all.size === 0) await add(own());
        return [...all.values()];
      },
    }),
  };
}

test('machines that share their records know the same, also when the store was lost', async () => {
  const set = createSet();
  const other = await mkdtemp(join(tmpdir(), 'bp-ledger-'));
  const one = await open({ shared: set.join() });
  await one.record({ ...none, read: [read(`${anna}1`, anna, 1), read(`${anna}2`, anna, 2)] });
  const two = await open({ shared: set.join() }, other);
  expect(urlsOf(two)).toEqual([`${anna}1`, `${anna}2`]);
  await two.record({ ...none, ended: [`${anna}1`] });
  set.lose();
  await two.refresh();
  await one.refresh();
  expect(urlsOf(one)).toEqual([`${anna}2`]);
  expect(urlsOf(await open({}, other))).toEqual([`${anna}2`]);
  await rm(other, { recursive: true });
});

test('in whatever order records come, once or twice, they say the same', async () => {
  const set = createSet();
  const ledger = await open({ shared: set.join() });
  await ledger.record({ ...none, read: [read(`${anna}1`, anna, 1), read(`${anna}2`, anna, 2)] });
  await ledger.record({ ...none, read: [read(`${anna}1`, anna, 3)], ended: [`${anna}2`] });
  await ledger.record({ ...none, opened: [{ key: keyOf(3), root: ben }] });
  await ledger.forget(ben);
  await ledger.record({ ...none, read: [read(`${anna}2`, anna, 2)] });
  const records = [...set.all.values()];
  const state = async (of: readonly Buffer[]) => {
    const shared = { add: () => Promise.resolve(), fetch: () => Promise.resolve([...of]) };
    const fresh = new ShareLedger(join(folder, 'none'), masterKey, { shared });
    await fresh.refresh();
    const disputed = fresh.isForeign(keyOf(3), { url: `${anna}1`, root: anna });
    return [urlsOf(fresh), fresh.find(`${anna}1`)?.key, disputed];
  };
  const expected = [[`${anna}1`, `${anna}2`], keyOf(3), false];
  expect(await state(records)).toEqual(expected);
  const shuffled = fc.shuffledSubarray([...records, ...records], {
    minLength: 2 * records.length,
  });
  await fc.assert(
    fc.asyncProperty(shuffled, async (order) => {
      expect(await state(order)).toEqual(expected);
    }),
  );
});

test('what is sealed opens with its key alone, and unchanged alone', () => {
  const seal = createLedgerSeal(masterKey);
  const sealed = seal.seal(Buffer.from('text'));
  expect(seal.open(sealed)?.toString()).toBe('text');
  expect(createLedgerSeal(keyOf(2)).open(sealed)).toBeNull();
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    expect(seal.open(changed)).toBeNull();
  }
  expect(seal.open(Buffer.from('short'))).toBeNull();
});
