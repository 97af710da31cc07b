import { createPrivateKey } from 'node:crypto';
import { podDocuments } from '../../src/pod/addresses.js';
import { createPrivatePem } from '../../src/pod/crypto/rsa.js';
import type { UnlockedPod } from '../../src/pod/unlock-pod.js';

/** One that no server has. */
export async function unlockedPod(root: string): Promise<UnlockedPod> {
  return {
    webId: `${root}profile/card#me`,
    root,
    appDir: 'app',
    documents: podDocuments(root, 'app'),
    masterKey: Buffer.alloc(32, 1),
    privateKey: createPrivateKey(await createPrivatePem()),
    hasAccessLists: true,
    encKeys: {
      keyVersion: 2,
      salt: Buffer.alloc(16),
      verification: '',
      sealedPrivateKey: { iv: '', data: '' },
    },
    dispose: () => undefined,
  };
}
