import { createSecretKey } from 'node:crypto';
import { podDocuments } from '../../src/pod/addresses.js';
import type { UnlockedPod } from '../../src/pod/unlock-pod.js';

/** A Pod that was unlocked without a server, for what uses no private key. */
export function analyserPod({
  masterKey = Buffer.alloc(32),
  ...place
}: Pick<UnlockedPod, 'webId' | 'root' | 'appDir'> & { masterKey?: Buffer }): UnlockedPod {
  return {
    ...place,
    documents: podDocuments(place.root, place.appDir),
    masterKey,
    privateKey: createSecretKey(masterKey),
    hasAccessLists: true,
    encKeys: {
      keyVersion: 2,
      salt: null,
      verification: '',
      sealedPrivateKey: { iv: '', data: '' },
    },
    dispose: () => undefined,
  };
}
