import { expect, test } from 'vitest';
import { hidingClient } from '../../../test/support/hiding-client.js';
import { unlockedPod } from '../../../test/support/unlocked-pod.js';
import { publicBodyOf } from '../../pod/crypto/rsa.js';
import { buildPublicKey } from '../../pod/formats/public-key.js';
import { shareId, shareSubject } from '../../pod/formats/shared-keys.js';
import { shareResultKeys } from './share-result-keys.js';

const [analyser, bob] = await Promise.all(
  ['analyser', 'bob'].map((name) => unlockedPod(`https://pods.example/${name}/`)),
);

/** The app takes one value for each predicate. */
test.each([1, 6, 1_000])(
  '[7.4][7.8] a key is sealed once, also where the inbox is hidden %s times',
  async (times) => {
    if (analyser === undefined || bob === undefined) throw new Error('There are two Pods.');
    const { publicKey, sharedKeys } = bob.documents;
    const text = buildPublicKey(publicKey, publicBodyOf(bob.privateKey));
    const client = hidingClient(times, new Map([[publicKey, text]]));
    const shares = ['own', 'cohort'].map((name) => ({
      url: `${analyser.root}app/data/${name}.enc.ttl`,
      key: Buffer.alloc(32, 3),
    }));
    const missed = await shareResultKeys({ client, pod: analyser }, bob.webId, shares);
    expect([...missed.keys()].length).toBe({ 1: 0, 6: 1, 1_000: 2 }[times]);
    for (const { url } of shares) {
      const subject = `<${shareSubject(shareId(url, bob.webId))}>`;
      const lines = [...(client.inserted.get(sharedKeys) ?? [])];
      expect(lines.filter((line) => line.startsWith(subject))).toHaveLength(3);
    }
  },
);
