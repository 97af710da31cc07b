import type { KeyObject } from 'node:crypto';
import { ServerError } from '../../base/errors.js';
import { getTurtle } from '../../solid/get-turtle.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { TurtleDocument } from '../../solid/turtle-document.js';
import { type PodDocuments, podDocuments, requireWebId } from '../addresses.js';
import { parsePublicKey } from '../formats/public-key.js';

/** The parts of somebody else's Pod that are open to us. */
export interface RecipientPod {
  webId: string;
  documents: PodDocuments;
  publicKey: KeyObject;
}

export async function findRecipientPod(
  client: SolidClient,
  webIdText: string,
  appDir: string,
): Promise<RecipientPod> {
  const { webId, root } = requireWebId(webIdText);
  const documents = podDocuments(root, appDir);
  const document = await getPublicKey(client, documents.publicKey);
  if (document === undefined) {
    const message =
      `Recipient Pod not initialised: ${documents.publicKey} cannot be read, so no key can be ` +
      `sealed for ${webId}.`;
    throw new ServerError('refused', message, { url: documents.publicKey });
  }
  return { webId, documents, publicKey: parsePublicKey(document) };
}

async function getPublicKey(client: SolidClient, url: string): Promise<TurtleDocument | undefined> {
  try {
    return await getTurtle(client, url, { maxBytes: 65_536 });
  } catch (error) {
    const status = error instanceof ServerError ? error.details.status : undefined;
    // When a document of others is missing, the server answers 401 or 403, as for a closed document.
    if (status === 401 || status === 403) return undefined;
    throw error;
  }
}
