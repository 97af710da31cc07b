import { describe, expect, test } from 'vitest';
import { listed, podOf, readWith, rememberedPod } from '../../../test/support/table.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { notAsked, notRead, perhapsRefused } from '../../pod/outcome.js';
import { type FileOutcome, type Pod, Row } from '../table/row.js';
import { type Item, ReadingOrder } from './reading-order.js';

interface Made {
  known?: number;
  fresh?: number;
  /** A shared folder with so many of the files in it. */
  folder?: 'known' | 'fresh';
}

const rootOf = (name: string) => `https://pods.example/${name}/`;
const folderOf = (name: string) => `${rootOf(name)}app/data/`;

function made(name: string, { known = 0, fresh = 0, folder }: Made): Pod {
  const files = (what: string, count: number) =>
    Array.from({ length: count }, (_, nth) => `${folderOf(name)}${what}${nth}.enc.ttl`);
  const urls = [
    ...(folder === undefined ? [] : [folderOf(name)]),
    ...files('known', known),
    ...files('new', fresh),
  ];
  const remembered = [...(folder === 'known' ? [folderOf(name)] : []), ...files('known', known)];
  const pod = rememberedPod(
    rootOf(name),
    remembered.map((url) => [url, null]),
  );
  const memory: Memory = { ...emptyMemory(), pods: new Map([[rootOf(name), pod]]) };
  const rows = Object.fromEntries(urls.map((url) => [url, {}]));
  return podOf(rootOf(name), rows, remembered.length === 0 ? undefined : memory);
}

const orderOf = (pods: readonly Pod[], callers: readonly string[] = []) =>
  new ReadingOrder(pods, {
    isCaller: ({ owner }) => callers.some((name) => owner.root === rootOf(name)),
    // The highest comes first, so this is the order of the numbers, and not that of the addresses.
    orderOf: (url) => url.replace(/\d/, (digit) => `${9 - Number(digit)}`),
    atOnceOfPod: 2,
  });

const nameOf = (url: string) => url.replace('https://pods.example/', '').replace('app/data/', '');

const next = (order: ReadingOrder, mostFiles = 1) =>
  order.nextKnown(mostFiles) ?? order.nextNewcomers(mostFiles);

const namesOf = (item: Item | null) => {
  if (item === null) return null;
  if (item.kind === 'folder') return nameOf(item.folder.url);
  const rows = item.kind === 'files' ? item.rows.map(({ row }) => row) : item.rows;
  const names = rows.map(({ url }) => nameOf(url)).join(' ');
  return item.kind === 'files' ? names : `confirm ${names}`;
};

/** Its server gives everything, but for this. */
function answer(order: ReadingOrder, item: Item | null, outcome: FileOutcome = readWith(null)) {
  if (item?.kind === 'folder') item.folder.outcome = listed;
  if (item?.kind === 'files') for (const { row } of item.rows) row.outcome = outcome;
  if (item !== null) order.done(item);
}

/** What is asked, one part after the other, each done before the next. Folders list these files. */
function asked(order: ReadingOrder, mostFiles = 1, files: readonly string[] = []): string[] {
  const parts: string[] = [];
  for (let item = next(order, mostFiles); item !== null; item = next(order, mostFiles)) {
    parts.push(namesOf(item) ?? '');
    if (item.kind === 'folder') {
      const { pod, folder } = item;
      for (const name of files) {
        const url = `${folder.url}${name}.enc.ttl`;
        pod.rows.set(url, new Row({ url, folder, isListed: true }));
      }
    }
    answer(order, item);
  }
  return parts;
}

test('[4.1] what was read before comes first, small Pods before large ones', () => {
  const pods = [
    made('new', { fresh: 1 }),
    made('large', { known: 2, fresh: 1 }),
    made('small', { known: 1 }),
  ];
  expect(asked(orderOf(pods))).toEqual([
    'small/known0.enc.ttl',
    'large/known0.enc.ttl',
    'large/known1.enc.ttl',
    'large/new0.enc.ttl',
    'new/new0.enc.ttl',
  ]);
});

test('[5.13] Pods that are known or call take turns with new ones', () => {
  const pods = [
    ...['made up', 'made up too', 'new'].map((name) => made(name, { fresh: 1 })),
    made('known', { known: 1, fresh: 2 }),
    made('caller', { fresh: 3 }),
  ];
  expect(asked(orderOf(pods, ['caller'])).slice(1)).toEqual([
    'caller/new0.enc.ttl',
    'made up/new0.enc.ttl',
    'known/new0.enc.ttl',
    'made up too/new0.enc.ttl',
    'caller/new1.enc.ttl',
    'new/new0.enc.ttl',
    'known/new1.enc.ttl',
    'caller/new2.enc.ttl',
  ]);
});

test('new addresses are asked for in an order of their own, one Pod after the other', () => {
  const pods = [made('many', { known: 1, fresh: 3 }), made('few', { known: 1, fresh: 1 })];
  expect(asked(orderOf(pods)).slice(2)).toEqual([
    'many/new0.enc.ttl',
    'few/new0.enc.ttl',
    'many/new1.enc.ttl',
    'many/new2.enc.ttl',
  ]);
});

test('[4.6] a part has no more files than are wanted, of as many Pods as it takes', () => {
  const pods = [made('one', { known: 3 }), made('two', { known: 4 })];
  // No more of one than may be in hand while it has given no answer.
  expect(asked(orderOf(pods), 3).map((part) => part.replaceAll(/known|\.enc\.ttl/g, ''))).toEqual([
    'one/0 one/1 two/0',
    'one/2 two/1 two/2',
    'two/3',
  ]);
});

describe('a Pod without answers', () => {
  test('[4.6] has little in hand, so that sixteen files that hang on purpose keep nobody unsent', () => {
    const order = orderOf([made('hangs', { known: 16 }), made('large', { known: 20 })]);
    expect([1, 2, 3, 4, 5].map(() => namesOf(next(order)))).toEqual([
      'hangs/known0.enc.ttl',
      'hangs/known1.enc.ttl',
      'large/known0.enc.ttl',
      'large/known1.enc.ttl',
      null,
    ]);
  });

  test('[4.6] begins no more, and one with answers does, as long as the latest was one', () => {
    const order = orderOf([made('one', { known: 9 })]);
    const [first, second] = [next(order), next(order)];
    expect(next(order)).toBe(null);
    answer(order, first);
    const more = [next(order), next(order), next(order)];
    expect(more.map(namesOf)).toEqual([2, 3, 4].map((nth) => `one/known${nth}.enc.ttl`));
    answer(order, second, notRead('silence', ''));
    expect(next(order)).toBe(null);
  });

  test('[4.6] begins one more for each that was silent', () => {
    const order = orderOf([made('one', { known: 9 })]);
    const first = next(order);
    next(order);
    answer(order, first, notRead('silence', ''));
    expect([next(order), next(order)].map(namesOf)).toEqual(['one/known2.enc.ttl', null]);
  });

  test('[4.1] keeps its own new files waiting', () => {
    const order = orderOf([made('one', { known: 1, fresh: 1 })]);
    expect([next(order), next(order)].map(namesOf)).toEqual(['one/known0.enc.ttl', null]);
  });

  test('[4.6] keeps one free for each of the others, even if it answers now and then', () => {
    const order = orderOf([made('small', { known: 9 }), made('large', { known: 20 })]);
    answer(order, next(order));
    const names = [1, 2, 3, 4, 5].map(() => namesOf(next(order)) ?? '');
    expect(names.filter((name) => name.startsWith('large/'))).toHaveLength(2);
    expect(names.filter((name) => name.startsWith('small/'))).toHaveLength(3);
  });

  test('[4.6] holds up no new files of others', () => {
    const order = orderOf([made('hangs', { known: 3 }), made('new', { fresh: 1 })]);
    expect([1, 2, 3].map(() => namesOf(next(order)))).toEqual([
      'hangs/known0.enc.ttl',
      'hangs/known1.enc.ttl',
      'new/new0.enc.ttl',
    ]);
  });
});

describe('the refusals of a Pod', () => {
  test('[4.2] are confirmed once its known files are answered, before what is left of larger Pods', () => {
    const order = orderOf([made('small', { known: 2, fresh: 1 }), made('large', { known: 3 })]);
    const [one, other] = [next(order), next(order)];
    answer(order, one, perhapsRefused);
    expect(namesOf(next(order))).toBe('large/known0.enc.ttl');
    answer(order, other);
    const refusals = next(order);
    expect(namesOf(refusals)).toBe('confirm small/known0.enc.ttl');
    expect(order.isConfirming).toBe(true);
    // Nothing new of it begins meanwhile.
    expect(namesOf(next(order))).toBe('large/known1.enc.ttl');
    expect(order.nextNewcomers(1)).toBe(null);
    answer(order, refusals);
    expect(order.isConfirming).toBe(false);
    expect(namesOf(order.nextNewcomers(1))).toBe('small/new0.enc.ttl');
  });

  test('[4.3] are confirmed when the time is over, whatever of it was not answered; each once', () => {
    const order = orderOf([made('one', { known: 3 })]);
    answer(order, next(order), perhapsRefused);
    const late = next(order);
    order.end();
    const refusals = order.nextRefusals();
    expect(namesOf(refusals)).toBe('confirm one/known0.enc.ttl');
    answer(order, late, notAsked);
    order.end();
    expect(order.nextRefusals()).toBe(null);
    answer(order, refusals);
    order.end();
    expect(order.nextRefusals()).toBe(null);
  });

  test('[4.3] that come in while others are confirmed are confirmed after them', () => {
    const order = orderOf([made('one', { known: 2 })]);
    answer(order, next(order), perhapsRefused);
    const late = next(order);
    order.end();
    const refusals = order.nextRefusals();
    answer(order, late, perhapsRefused);
    order.end();
    expect(order.nextRefusals()).toBe(null);
    answer(order, refusals);
    order.end();
    expect(namesOf(order.nextRefusals())).toBe('confirm one/known1.enc.ttl');
  });
});

describe('a folder', () => {
  test('is asked for alone, before its files', () => {
    const pods = [made('few', { known: 1 }), made('one', { folder: 'known', known: 2 })];
    const [ofFew, ...ofOne] = asked(orderOf(pods), 10);
    expect(ofFew).toBe('few/known0.enc.ttl');
    expect(ofOne).toEqual(['one/', 'one/known0.enc.ttl one/known1.enc.ttl']);
  });

  test('that is in hand holds up its new files alone', () => {
    const pods = [made('one', { folder: 'known', known: 1, fresh: 1 }), made('two', { known: 3 })];
    const order = orderOf(pods);
    const folder = next(order);
    expect(asked(order)).toEqual([
      'one/known0.enc.ttl',
      ...[0, 1, 2].map((nth) => `two/known${nth}.enc.ttl`),
    ]);
    answer(order, folder);
    expect(asked(order)).toEqual(['one/new0.enc.ttl']);
  });

  test('[4.1] that somebody has just named comes after what was read before', () => {
    const pods = [made('one', { folder: 'fresh', known: 1, fresh: 1 })];
    expect(asked(orderOf(pods))).toEqual(['one/known0.enc.ttl', 'one/', 'one/new0.enc.ttl']);
  });

  test('brings files, which come where they belong', () => {
    const pod = made('one', { folder: 'known', fresh: 1 });
    expect(asked(orderOf([pod]), 1, ['new1', 'new2'])).toEqual([
      'one/',
      'one/new0.enc.ttl',
      'one/new1.enc.ttl',
      'one/new2.enc.ttl',
    ]);
  });
});
