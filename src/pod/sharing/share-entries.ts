import type { KeyObject } from 'node:crypto';
import { AnalyserError, isUnanswered, ServerError } from '../../base/errors.js';
import { getTurtle, patchDocument } from '../../solid/documents.js';
import type { SolidClient } from '../../solid/solid-client.js';
import type { Triple, TurtleDocument } from '../../solid/turtle.js';
import { type PodDocuments, podDocuments, requireWebId } from '../addresses.js';
import { sealValue } from '../crypto/rsa.js';
import { parsePublicKey } from '../formats/public-key.js';
import {
  type InboxLimits,
  inboxHeading,
  readShareStatements,
  shareId,
  shareStatements,
  shareSubject,
} from '../formats/shared-keys.js';

interface RecipientPod {
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

export interface NewShare {
  url: string;
  key: Buffer;
}

/** Somebody else can change the same entries at the same time. */
const MOST_ATTEMPTS = 3;

/** Null when there is no inbox yet. */
type ShareEntries = Triple[] | null;

export function readShareEntries(
  client: SolidClient,
  { webId, documents }: Pick<RecipientPod, 'webId' | 'documents'>,
  urls: readonly string[],
  limits?: InboxLimits,
): Promise<ShareEntries> {
  const subjects = urls.map((url) => shareSubject(shareId(url, webId)));
  return readShareStatements(client, documents.sharedKeys, subjects, limits);
}

/**
 * Replaces all statements of the inbox about these shares in one change, and reads them back, because the app fails on
 * two values where one belongs. `known` are the statements of a moment ago. Sealing anew gives other values, so
 * whoever tries again gives `seal`.
 */
export async function putShareEntries(
  client: SolidClient,
  recipient: RecipientPod,
  shares: readonly NewShare[],
  {
    known,
    limits,
    seal = sealShare,
  }: { known?: ShareEntries; limits?: InboxLimits; seal?: typeof sealShare } = {},
): Promise<void> {
  const inbox = recipient.documents.sharedKeys;
  const insert = shares.flatMap((share) => seal(share, recipient));
  const urls = shares.map(({ url }) => url);
  let old =
    known === undefined
      ? await readShareEntries(client, recipient, urls, limits)
      : onlyAbout(insert, known);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const heading = old === null ? inboxHeading(inbox) : [];
    const changes = { delete: old ?? [], insert: [...heading, ...insert] };
    const silence = await silenceOf(patchDocument(client, inbox, changes));
    old = await readShareEntries(client, recipient, urls, limits);
    if (isSame(old ?? [], insert)) return;
    if (silence !== null) throw silence;
  }
  const message = `${recipient.webId} did not receive the key: ${inbox} does not show what was written to it.`;
  throw new AnalyserError('server', message);
}

export async function deleteShareEntries(
  client: SolidClient,
  recipient: Pick<RecipientPod, 'webId' | 'documents'>,
  urls: readonly string[],
): Promise<void> {
  const old = await readShareEntries(client, recipient, urls);
  await patchDocument(client, recipient.documents.sharedKeys, { delete: old ?? [] });
}

/** Silence does not tell whether the change was made, so it is thrown only after a look. */
async function silenceOf(change: Promise<void>): Promise<Error | null> {
  try {
    await change;
    return null;
  } catch (error) {
    if (isUnanswered(error)) return error;
    throw error;
  }
}

/** `known` may hold statements that have to stay. */
function onlyAbout(statements: readonly Triple[], known: ShareEntries): ShareEntries {
  const subjects = new Set(statements.map(({ subject }) => subject));
  return known && known.filter(({ subject }) => subjects.has(subject));
}

function isSame(one: readonly Triple[], other: readonly Triple[]): boolean {
  const spell = (triples: readonly Triple[]) =>
    triples.map((triple) => JSON.stringify(triple)).sort();
  return JSON.stringify(spell(one)) === JSON.stringify(spell(other));
}

export function sealShare({ url, key }: NewShare, { webId, publicKey }: RecipientPod): Triple[] {
  const seal = (value: string): string => {
    const sealed = sealValue(value, publicKey);
    if (sealed !== null) return sealed;
    const message = `${url} cannot be shared: its address is too long to be sealed.`;
    throw new AnalyserError('malformed', message);
  };
  return shareStatements(shareId(url, webId), {
    path: seal(url),
    accessList: seal('read'),
    key: seal(key.toString('base64')),
  });
}
