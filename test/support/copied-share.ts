import { sealValue } from '../../src/pod/crypto/rsa.js';
import { shareId, shareStatements } from '../../src/pod/documents/shared-keys.js';
import { findRecipientPod } from '../../src/pod/sharing/recipient-pod.js';
import { vocabulary as v } from '../../src/pod/vocabulary.js';
import { readTurtle } from '../../src/solid/documents/read-turtle.js';
import { patchDocument, putDocument } from '../../src/solid/documents/write-document.js';
import { allowReading } from './contributor.js';
import type { InitialisedPod } from './initialised-pod.js';

/** The sealed key of a share, as everybody can read it in the inbox. */
export async function sealedKeyOf(
  anybody: InitialisedPod,
  analyser: InitialisedPod,
  url: string,
): Promise<string> {
  const { sharedKeys } = analyser.pod.documents;
  const { body } = await anybody.client.request(sharedKeys);
  const document = readTurtle(body, sharedKeys);
  const subject = `${v.resourceId}${shareId(url, analyser.pod.webId)}`;
  return document.literals(subject, v.sharedKey)[0] ?? '';
}

/** An entry about any address with a key that its author need not know. */
export async function announce(
  anybody: InitialisedPod,
  analyser: InitialisedPod,
  { url, sealedKey }: { url: string; sealedKey: string },
): Promise<void> {
  const { webId, appDir, documents } = analyser.pod;
  const recipient = await findRecipientPod(anybody.client, webId, appDir);
  const seal = (text: string) => sealValue(text, recipient.publicKey) ?? '';
  const insert = shareStatements(shareId(url, webId), {
    path: seal(url),
    accessList: seal('read'),
    key: sealedKey,
  });
  await patchDocument(anybody.client, documents.sharedKeys, { insert });
}

/** Puts a ciphertext into a Pod and shares it with the key of the original. */
export async function shareCopy(
  holder: InitialisedPod,
  analyser: InitialisedPod,
  { name, ciphertext, sealedKey }: { name: string; ciphertext: string; sealedKey: string },
): Promise<string> {
  const url = `${holder.pod.documents.app}data/blood_pressure/${name}`;
  await putDocument(holder.client, url, ciphertext);
  await allowReading(holder, analyser, url);
  await announce(holder, analyser, { url, sealedKey });
  return url;
}
