import { describe, expect, test } from 'vitest';
import { podOf, rememberedPod } from '../../../test/support/table.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { type Pod, Row } from '../table/row.js';
import { ReadingOrder } from './reading-order.js';

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
  });

const nameOf = (url: string) => url.replace('https://pods.example/', '').replace('app/data/', '');

/** What is asked, one part after the other, each done before the next. Folders list these files. */
function asked(order: ReadingOrder, mostFiles = 1, files: readonly string[] = []): string[] {
  const parts: string[] = [];
  for (let next = order.next(mostFiles); next !== null; next = order.next(mostFiles)) {
    if (Array.isArray(next)) {
      parts.push(next.map(({ row }) => nameOf(row.url)).join(' '));
      continue;
    }
    const { pod, folder } = next;
    parts.push(nameOf(folder.url));
    for (const name of files) {
      const url = `${folder.url}${name}.enc.ttl`;
      pod.rows.set(url, new Row({ url, folder, isListed: true }));
    }
    order.listed(next);
  }
  return parts;
}

test('what was read before comes first, small Pods before large ones', () => {
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

test('Pods that are known or call take turns with new ones', () => {
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

test('a part has no more files than are wanted, of as many Pods as it takes', () => {
  const pods = [made('one', { known: 3 }), made('two', { known: 4 })];
  expect(asked(orderOf(pods), 2).map((part) => part.split(' ').length)).toEqual([2, 2, 2, 1]);
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
    const folder = order.next(1);
    expect(asked(order)).toEqual([
      'one/known0.enc.ttl',
      ...[0, 1, 2].map((nth) => `two/known${nth}.enc.ttl`),
    ]);
    if (folder !== null && !Array.isArray(folder)) order.listed(folder);
    expect(asked(order)).toEqual(['one/new0.enc.ttl']);
  });

  test('that somebody has just named comes after what was read before', () => {
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
