import { beforeEach, describe, expect, test } from 'vitest';
import { clientFor } from '../../../test/simulation/people/person.js';
import { keysReceived, publishers } from '../../../test/support/publishing.js';
import { type RecordedRequest, recordRequests } from '../../../test/support/recording-client.js';
import { writeInheriting } from '../../../test/support/write-inheriting.js';
import { AnalyserError } from '../../base/errors.js';
import { putDocument } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { encryptContent } from '../crypto/content-cipher.js';
import { buildEncryptedResource } from '../formats/encrypted-resource.js';
import { vocabulary as v } from '../formats/vocabulary.js';
import { findResourceKeys } from '../resource-keys.js';
import { writeEncryptedResources } from '../write-resource.js';
import { readSharedWithMe } from './read-shared-with-me.js';
import { findKeysInUse, revokeShares, shareResources } from './share.js';

let world: Awaited<ReturnType<typeof publishers<'alice' | 'bob' | 'carol'>>>;
beforeEach(async () => {
  world = await publishers('alice', 'bob', 'carol');
});

const alice = () => world.person('alice');
const bob = () => world.person('bob');
const fileOf = (name: string) => `${alice().folder}${name}.json.enc.ttl`;
const write = async (...names: string[]) =>
  await writeEncryptedResources(
    alice().client,
    alice().pod,
    names.map((name) => ({ url: fileOf(name), content: `{"of":"${name}"}` })),
  );

const share = async (urls: readonly string[], client: SolidClient = alice().client) => {
  await shareResources(client, alice().pod, { urls, recipientWebId: bob().webId });
};
const revoke = async (urls: readonly string[], client: SolidClient = alice().client) => {
  await revokeShares(client, alice().pod, { urls, recipientWebId: bob().webId });
};

const mayRead = (url: string, agent: string | null) => world.server.modesOf(url, agent).has('read');
/** What the log of somebody says: the action, the file, who gave it, and to whom. */
const loggedBy = ({ pod }: ReturnType<typeof alice>) =>
  world.server
    .triplesOf(pod.documents.permissionsLog)
    .flatMap(({ predicate, object }) =>
      predicate === v.log && 'literal' in object ? [object.literal.slice(1, -1).split(';')] : [],
    )
    .map(([, url, owner, action, granter, recipient, mode]) =>
      [action, url, owner, granter, recipient, mode].join(' '),
    )
    .sort();

describe('what is shared', () => {
  test('[T37] can be opened by its recipient, and by nobody else; both know of it', async () => {
    const [one, other] = [fileOf('one'), fileOf('other')];
    const keys = await write('one', 'other', 'third');
    await share([one, other]);
    for (const url of [one, other]) {
      expect(await keysReceived(bob(), url)).toEqual([keys.get(url)]);
      const { text } = await readSharedWithMe(bob().client, bob().pod, url);
      expect(text).toMatch(/^\{"of":/);
      expect([world.person('carol').webId, null].map((who) => mayRead(url, who))).toEqual([
        false,
        false,
      ]);
      expect([...world.server.modesOf(url, bob().webId)]).toEqual(['read']);
    }
    expect(await keysReceived(bob(), fileOf('third'))).toEqual([]);
    expect(mayRead(fileOf('third'), bob().webId)).toBe(false);
    const lines = [one, other].map((url) =>
      ['grant', url, alice().webId, alice().webId, bob().webId, 'read'].join(' '),
    );
    expect(loggedBy(alice())).toEqual(lines);
    expect(loggedBy(bob())).toEqual(lines);
  });

  test('[T31] and taken back is closed to its recipient alone, with its key, and both know of it', async () => {
    const [one, other] = [fileOf('one'), fileOf('other')];
    await write('one', 'other');
    await share([one, other]);
    await shareResources(alice().client, alice().pod, {
      urls: [one],
      recipientWebId: world.person('carol').webId,
    });
    await revoke([one]);
    expect(mayRead(one, bob().webId)).toBe(false);
    expect(await keysReceived(bob(), one)).toEqual([]);
    // Nor does the list tell who had access once.
    expect(world.server.textOf(`${one}.acl`)).not.toContain(bob().webId);
    expect(mayRead(one, world.person('carol').webId)).toBe(true);
    expect(mayRead(other, bob().webId)).toBe(true);
    expect(await keysReceived(bob(), other)).toHaveLength(1);
    const line = ['revoke', one, alice().webId, alice().webId, bob().webId, 'read'].join(' ');
    expect(loggedBy(alice())).toContain(line);
    expect(loggedBy(bob())).toContain(line);
  });

  test('[T31] is closed also where a stranger has removed its entry', async () => {
    await write('one');
    await share([fileOf('one')]);
    world.server.put(bob().pod.documents.sharedKeys, '');
    await revoke([fileOf('one')]);
    expect(mayRead(fileOf('one'), bob().webId)).toBe(false);
  });

  test('[T31] is closed before its key is taken away, so that a failure leaves nothing open', async () => {
    await write('one');
    await share([fileOf('one')]);
    const client = withoutInbox();
    await expect(revoke([fileOf('one')], client)).rejects.toThrow(AnalyserError);
    expect(mayRead(fileOf('one'), bob().webId)).toBe(false);
  });

  test('is nothing, where nothing is named: nobody is asked', async () => {
    const client = recordRequests(alice().client);
    await share([], client);
    await revoke([], client);
    expect(client.requests).toEqual<RecordedRequest[]>([]);
  });

  test('is nothing, where the recipient has no Pod of the app: nothing is opened', async () => {
    await write('one');
    const { webId } = world.server.createPod('dora');
    const sharing = { urls: [fileOf('one')], recipientWebId: webId };
    await expect(shareResources(alice().client, alice().pod, sharing)).rejects.toThrow(
      /^Recipient Pod not initialised/,
    );
    expect(mayRead(fileOf('one'), webId)).toBe(false);
  });

  const withoutInbox = () =>
    clientFor(world.server, alice().webId, {
      intercept: ({ url }, serve) =>
        url === bob().pod.documents.sharedKeys ? { ...serve(), status: 403 } : serve(),
    });
});

describe('the key that is handed over', () => {
  const keysOf = async (...urls: string[]) =>
    await findKeysInUse(alice().client, alice().pod, urls);

  test('is that of the file, of its folder where it names that, and one for each', async () => {
    const own = (await write('own')).get(fileOf('own'));
    await writeInheriting(alice(), [{ url: fileOf('in-folder'), content: '{}' }], alice().folder);
    const folderKey = (await findResourceKeys(alice().client, alice().pod, [alice().folder])).get(
      alice().folder,
    );
    expect(folderKey).not.toEqual(own);
    const found = await keysOf(fileOf('own'), fileOf('in-folder'), alice().folder);
    expect(found).toEqual(
      new Map([
        [fileOf('own'), own],
        [fileOf('in-folder'), folderKey],
        [alice().folder, folderKey],
      ]),
    );
  });

  test('of a folder without one is made, and stays', async () => {
    const made = await keysOf(alice().folder);
    expect(made.get(alice().folder)).toHaveLength(32);
    expect(await keysOf(alice().folder)).toEqual(made);
  });

  test.each([
    ['names no folder', null],
    ['names a folder outside of the Pod', '../bob/app/'],
  ])('is none for a file that has no key and %s', async (_, inheritKeyFrom) => {
    const url = fileOf('without');
    const content = encryptContent('{}', Buffer.alloc(32, 1));
    const text = buildEncryptedResource(url, alice().root, { content, inheritKeyFrom });
    await putDocument(alice().client, url, text);
    await expect(share([url])).rejects.toThrow(/so it cannot be shared/);
    expect(mayRead(url, bob().webId)).toBe(false);
  });
});
