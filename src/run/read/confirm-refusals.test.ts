import { expect, test } from 'vitest';
import { ServerError } from '../../base/errors.js';
import { notRead, type Outcome } from '../../pod/outcome.js';
import { podIdOfRoot } from '../../pod/pod-id.js';
import { refusal } from '../../pod/read-resource.js';
import { PodAsker } from './ask-pod.js';
import { confirmRefusals } from './confirm-refusals.js';
import { PodShares } from './pod-shares.js';
import { without } from './read-files.js';
import type { FilesPiece } from './server-queue.js';

const read: Outcome = { kind: 'read', key: null };
const refused = notRead('refused', 'it may no longer be read');
const { signal } = new AbortController();
const rootOf = (name: string) => `https://pods.example/${name}/`;

/** A Pod of one remembered file, which the first look gave or refused. */
function podOf(name: string, outcome: Outcome): PodShares {
  const root = rootOf(name);
  const url = `${root}app/bp`;
  const share = {
    url,
    keys: [],
    rememberedKey: null,
    foreignKeys: [],
    mayHaveEntry: true,
    isRemembered: true,
  };
  const owner = {
    root,
    webId: `${root}profile/card#me`,
    podId: podIdOfRoot(root),
    rootIs: 'certain' as const,
  };
  const pod = new PodShares({ owner, shares: [share], waited: 0 }, []);
  const [file] = pod.files.values();
  if (file === undefined) throw new Error('The Pod has no file.');
  const openTo = 'some' as const;
  pod.record(file, { outcome, openTo, sums: null, readings: [], isCut: false });
  return pod;
}

/** What becomes of Bob's file, which is refused again, when the Pods of `silent` give no answer any more. */
async function bobBesides(names: readonly string[], silent: readonly string[], before = 0) {
  const bob = podOf('bob', refused);
  const pods = [...names.map((name) => podOf(name, read)), bob];
  pods.sort((one, other) => one.owner.root.localeCompare(other.owner.root));
  const request = (url: string) => {
    const isSilent = silent.some((name) => url.startsWith(rootOf(name)));
    if (isSilent) return Promise.reject(new ServerError('slow', 'It did not answer.', { url }));
    const status = url.startsWith(rootOf('bob')) ? 403 : 200;
    return Promise.resolve({ status, headers: {}, body: Buffer.alloc(0), url });
  };
  const client = { request };
  const root = rootOf('analyser');
  const asker = new PodAsker(
    { client, pod: { root, documents: { encKeys: `${root}app/encryption/enc-keys.ttl` } } },
    signal,
  );
  for (let time = 0; time < before; time += 1) {
    for (const name of silent) {
      const question = { root: rootOf(name), isRemembered: true, signal };
      await asker.ask(question, () => request(`${rootOf(name)}app/bp`));
    }
  }
  const readFiles = async (ofPods: FilesPiece['ofPods']) => {
    for (const { pod, files } of ofPods) {
      for (const file of files) {
        const { status } = await request(file.url);
        pod.record(file, without(refusal(status)));
      }
    }
  };
  const confirming = { client, asker, ownDocument: null, readFiles, filesPerPart: 1 };
  await confirmRefusals(pods, confirming, { signal, atOnce: 4 });
  return [...bob.files.values()][0]?.reading?.outcome;
}

test('a refusal that comes twice ends the share', async () => {
  expect(await bobBesides(['alice'], [])).toMatchObject({ because: 'refused' });
});

test('where nothing is given any more, nothing is certain', async () => {
  expect(await bobBesides(['alice'], ['alice'])).toMatchObject({ because: 'uncertain' });
});

test.each([
  ['have just fallen silent', 0],
  ['were given up before', 10],
])('Pods that %s keep no refusal of somebody else from being certain', async (_, before) => {
  const names = ['0', 'alice', 'mallory', 'zed'];
  const outcome = await bobBesides(names, ['0', 'mallory', 'zed'], before);
  expect(outcome).toMatchObject({ because: 'refused' });
});
