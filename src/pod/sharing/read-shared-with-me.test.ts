import { beforeEach, describe, expect, test } from 'vitest';
import { keyOf, publishers } from '../../../test/support/publishing.js';
import { patchDocument } from '../../solid/documents.js';
import type { Triple } from '../../solid/turtle.js';
import { everyoneRule, ownerRule, writeAcl } from '../access-control.js';
import { sealValue } from '../crypto/rsa.js';
import { shareId, shareSubject } from '../formats/shared-keys.js';
import { link, text, vocabulary as v } from '../formats/vocabulary.js';
import { putEncryptedResource } from '../write-resource.js';
import { readSharedWithMe } from './read-shared-with-me.js';
import { findRecipientPod } from './share-entries.js';

let world: Awaited<ReturnType<typeof publishers<'bob'>>>;
let seal: (value: Buffer) => string;
beforeEach(async () => {
  world = await publishers('bob');
  const { publicKey } = await findRecipientPod(world.analyser.client, bob().webId, 'app');
  seal = (value) => sealValue(value.toString('base64'), publicKey) ?? '';
  world.server.put(
    `${url()}.acl`,
    writeAcl(url(), [ownerRule(url(), world.analyser.webId), everyoneRule(url(), ['read'])]),
  );
});

const bob = () => world.person('bob');
const url = () => `${world.analyser.root}app/data/bp-average.json.enc.ttl`;
const subject = () => shareSubject(shareId(url(), bob().webId));
const read = async () => await readSharedWithMe(bob().client, bob().pod, url());
const write = async (content = '{"figures":1}') => {
  const { client, pod } = world.analyser;
  await putEncryptedResource(client, pod, { url: url(), content }, keyOf('right'));
};
const plant = async (...insert: Triple[]) =>
  await patchDocument(bob().client, bob().pod.documents.sharedKeys, { insert });
const key = (value: string) => text(subject(), v.sharedKey, value);

describe('what somebody else has shared', () => {
  test('[7.4] opens with its key, whatever strangers add to that', async () => {
    await write();
    await plant(
      key('junk'),
      key(seal(keyOf('wrong'))),
      key(seal(keyOf('right'))),
      text(subject(), v.sharedPath, seal(keyOf('path'))),
      link(subject(), v.sharedKey, 'https://evil.example/'),
    );
    expect(await read()).toEqual({ text: '{"figures":1}', key: keyOf('right') });
  });

  test('needs no key where it is not encrypted', async () => {
    world.server.put(url(), '{"figures":2}', 'application/json');
    expect(await read()).toEqual({ text: '{"figures":2}', key: null });
  });

  test.each<[string, () => Triple[], string, RegExp]>([
    ['no key', () => [], 'missing', /has none for/],
    [
      'only the key of another resource',
      () => [text(shareSubject('another'), v.sharedKey, seal(keyOf('right')))],
      'missing',
      /has none for/,
    ],
    [
      'only a value that is no key',
      () => [text(subject(), v.sharedPath, seal(keyOf('right')))],
      'missing',
      /has none for/,
    ],
    ['a value that does not open', () => [key('junk')], 'wrong', /cannot be used/],
    ['another key', () => [key(seal(keyOf('wrong')))], 'wrong', /could not be decrypted/],
  ])('does not open with %s', async (_, statements, problem, message) => {
    await write();
    await plant(...statements());
    await expect(read()).rejects.toMatchObject({
      problem,
      message: expect.stringMatching(message),
    });
  });

  test('does not open where there is no inbox', async () => {
    await write();
    await bob().client.request(bob().pod.documents.sharedKeys, { method: 'DELETE' });
    await expect(read()).rejects.toMatchObject({ problem: 'missing' });
  });
});
