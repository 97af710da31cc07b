import { expect, test } from 'vitest';
import { foreign, notRead, type Outcome } from '../../pod/outcome.js';
import { foreignKeysOf } from './claims-of-pod.js';

const folder = 'https://pods.example/mallory/app/data/';
const keys = Array.from({ length: 100 }, (_, index) => Buffer.alloc(32, index));
const share = (url: string, foreignKeys: readonly Buffer[]) => ({
  ...{ url, keys: [], rememberedKey: null, mayHaveEntry: true, isRemembered: false },
  foreignKeys,
});
const fileIn = (listedIn: string | null, name: string, outcome: Outcome) => ({
  ...{ url: `${folder}${name}`, listedIn, outcome, provenShares: [] },
});

test('the keys of a share are looked at once, however many files it has', () => {
  const files = Array.from({ length: 1000 }, (_, nth) => fileIn(folder, `${nth}.ttl`, foreign));
  const others = [share(`${folder}read.ttl`, keys), share(`${folder}0.ttl`, keys.slice(0, 2))];
  const found = foreignKeysOf({ files }, [share(folder, keys), ...others]);
  expect(found).toEqual([...keys, ...keys.slice(0, 2)]);
});

test('keys that were given for files without need are not looked at; a key that opened a copy is', () => {
  const [key = Buffer.alloc(32), opening = Buffer.alloc(32, 200)] = keys;
  const files = [
    fileIn(null, 'read.ttl', { kind: 'read', key }),
    fileIn(null, 'gone.ttl', notRead('refused', 'it is gone')),
    fileIn(null, 'copy.ttl', { ...notRead('copied key', 'it is a copy'), key: opening }),
  ];
  const shares = files.map(({ url }) => share(url, keys));
  expect(foreignKeysOf({ files }, shares)).toEqual([opening]);
});
