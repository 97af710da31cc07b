import { decodeText, decryptContent } from '../../../src/pod/crypto/content-cipher.js';
import { deriveDocumentKey } from '../../../src/pod/crypto/document-key.js';
import { vocabulary as v } from '../../../src/pod/formats/vocabulary.js';
import { statementsIn, valuesOf } from '../server/statements.js';
import type { World } from '../world.js';

/** The key that a document of the Analyser has for ever. */
export function keyOf({ analyser }: Pick<World, 'analyser'>, url: string): Buffer {
  return deriveDocumentKey(analyser.pod.privateKey, url.slice(analyser.root.length));
}

/** The text of a sealed document; null if it does not open with the key. */
export function openDocument(body: string, url: string, key: Buffer): string | null {
  const statements = statementsIn(body, url);
  const [iv = ''] = valuesOf(statements, url, v.iv);
  const [data = ''] = valuesOf(statements, url, v.encData);
  const opened = decryptContent({ iv, data }, key);
  return opened === null ? null : decodeText(opened);
}
