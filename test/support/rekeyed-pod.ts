import { randomBytes } from 'node:crypto';
import { deriveKeys } from '../../src/pod/crypto/derive-keys.js';
import { openPrivateKeyText, sealPrivateKey } from '../../src/pod/crypto/rsa.js';
import { buildEncKeys, parseEncKeys } from '../../src/pod/formats/enc-keys.js';
import { buildEmptyIndKeys, buildIndKeyEntry, IndKeys } from '../../src/pod/formats/ind-keys.js';
import { writeTurtle } from '../../src/pod/formats/vocabulary.js';
import { getTurtle, putDocument } from '../../src/solid/documents.js';
import type { InitialisedPod } from './initialised-pod.js';

/**
 * What the app does for a new security key, and for a Pod with the first key derivation at its
 * owner's next login: a new salt, and the same RSA pair and resource keys sealed anew.
 */
export async function rekeyPod(
  { client, pod }: Pick<InitialisedPod, 'client' | 'pod'>,
  securityKey: string,
): Promise<void> {
  const { encKeys, indKeys } = pod.documents;
  const [encDocument, indDocument] = [
    await getTurtle(client, encKeys),
    await getTurtle(client, indKeys),
  ];
  if (!encDocument || !indDocument) throw new Error(`${pod.root} was never initialised.`);
  const pem = openPrivateKeyText(parseEncKeys(encDocument).sealedPrivateKey, pod.masterKey);
  if (pem === null) throw new Error(`The private key of ${pod.root} does not open.`);
  const salt = randomBytes(16);
  const { masterKey, verification } = await deriveKeys(securityKey, salt);
  const entries = [...indDocument.subjects()].flatMap((resource) => {
    const { key } = new IndKeys(indDocument).entryOf(resource, pod);
    return key === null ? [] : buildIndKeyEntry(resource, key, { root: pod.root, masterKey });
  });
  await putDocument(client, indKeys, `${buildEmptyIndKeys(indKeys)}\n${writeTurtle(entries)}`);
  const sealedPrivateKey = sealPrivateKey(pem, masterKey);
  await putDocument(
    client,
    encKeys,
    buildEncKeys(encKeys, { keyVersion: 2, salt, verification, sealedPrivateKey }),
  );
}
