import { randomBytes } from 'node:crypto';
import { sealValue } from '../../src/pod/crypto/rsa.js';
import { shareId, shareStatements } from '../../src/pod/formats/shared-keys.js';
import { findRecipientPod } from '../../src/pod/sharing/share-entries.js';
import { patchDocument } from '../../src/solid/documents.js';
import type { Triple } from '../../src/solid/turtle.js';
import type { InitialisedPod } from '../support/initialised-pod.js';

export interface PlantedEntry {
  url: string;
  key?: Buffer;
  /** Default: the id that the app computes, as if the owner had shared it. */
  id?: string;
}

/** Somebody with a Pod of their own, who may add whatever they like to the Analyser's inbox. */
export interface Attacker {
  /** Well-formed entries about anything. */
  plant(entries: readonly PlantedEntry[]): Promise<void>;
  statementsOf(entries: readonly PlantedEntry[]): Triple[];
  /** The whole inbox rewritten by hand: what was there stays, between what is added. */
  rewriteInbox(before: string, after: string): Promise<void>;
}

export async function createAttacker(
  own: InitialisedPod,
  analyser: InitialisedPod,
): Promise<Attacker> {
  const { webId, appDir, documents } = analyser.pod;
  const { publicKey } = await findRecipientPod(own.client, webId, appDir);
  const seal = (value: string) => {
    const sealed = sealValue(value, publicKey);
    if (sealed === null) throw new Error(`${value.length} characters cannot be sealed`);
    return sealed;
  };
  const statementsOf = (entries: readonly PlantedEntry[]) =>
    entries.flatMap(({ url, key = randomBytes(32), id = shareId(url, webId) }) =>
      shareStatements(id, {
        path: seal(url),
        accessList: seal('read'),
        key: seal(key.toString('base64')),
      }),
    );
  return {
    statementsOf,
    plant: (entries) =>
      patchDocument(own.client, documents.sharedKeys, { insert: statementsOf(entries) }),
    async rewriteInbox(before, after) {
      const { sharedKeys } = documents;
      const { body } = await own.client.request(sharedKeys, { maxBytes: 128 * 1024 * 1024 });
      const answer = await own.client.request(sharedKeys, {
        method: 'PUT',
        headers: { 'content-type': 'text/turtle' },
        body: `${before}\n${body.toString('utf8')}\n${after}`,
      });
      if (answer.status >= 300) throw new Error(`The inbox answered ${answer.status}.`);
    },
  };
}
