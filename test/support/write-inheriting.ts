import { encryptContent } from '../../src/pod/crypto/content-cipher.js';
import { buildEncryptedResource } from '../../src/pod/formats/encrypted-resource.js';
import { ensureResourceKeys } from '../../src/pod/resource-keys.js';
import type { NewContent } from '../../src/pod/write-resource.js';
import { putDocument } from '../../src/solid/documents.js';
import type { InitialisedPod } from './initialised-pod.js';

/** Writes resources under the key of a folder, as newer versions of the app do and our client does not. */
export async function writeInheriting(
  { client, pod }: Pick<InitialisedPod, 'client' | 'pod'>,
  contents: readonly NewContent[],
  folder: string,
): Promise<void> {
  const key = (await ensureResourceKeys(client, pod, [folder])).get(folder) ?? Buffer.alloc(32);
  const inheritKeyFrom = folder.slice(pod.root.length);
  for (const { url, content } of contents) {
    const resource = { content: encryptContent(content, key), inheritKeyFrom };
    await putDocument(client, url, buildEncryptedResource(url, pod.root, resource));
  }
}
