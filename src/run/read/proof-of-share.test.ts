import { expect, test } from 'vitest';
import { notRead, type Outcome } from '../../pod/outcome.js';
import { judgeShares } from './proof-of-share.js';
import type { ShareToRead } from './read-task.js';
import { outcomeOf, type SharedFile, type SharedFolder } from './shared-file.js';

const root = 'https://pods.example/anna/';
const folderUrl = `${root}app/data/`;
const key = Buffer.alloc(32, 7);
const read: Outcome = { kind: 'read', key };

function share(url: string, isRemembered: boolean): ShareToRead {
  return {
    url,
    keys: [key],
    rememberedKey: isRemembered ? key : null,
    foreignKeys: [],
    mayHaveEntry: true,
    isRemembered,
  };
}

function file(name: string, folder: SharedFolder, isRemembered: boolean): SharedFile {
  const url = `${folderUrl}${name}`;
  return {
    url,
    share: share(url, isRemembered),
    folder,
    reading: { outcome: read, openTo: 'some', sums: null, readings: [], isCut: false },
  };
}

test('in a folder that others may write to, the file that was read before counts, and not a copy of it', () => {
  const outcome = notRead('writable', 'others may write to it');
  const folder: SharedFolder = {
    share: share(folderUrl, true),
    listing: { outcome, members: [], openTo: 'some', warning: null },
    held: [],
  };
  const copy = file('bp_0', folder, false);
  const original = file('bp_5', folder, true);
  const files = new Map([copy, original].map((each) => [each.url, each]));
  const folders = new Map([[folderUrl, folder]]);
  judgeShares([{ owner: { root }, files, folders, warnings: [] }]);
  expect(outcomeOf(original)).toEqual(read);
  expect(outcomeOf(copy)).toMatchObject({ kind: 'not read', because: 'writable' });
});
