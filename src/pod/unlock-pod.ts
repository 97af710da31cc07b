import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AnalyserError, ServerError } from '../base/errors.js';
import { getTurtle, type ReadOptions } from '../solid/documents.js';
import type { SolidClient } from '../solid/solid-client.js';
import { type PodDocuments, podDocuments, requireWebId } from './addresses.js';
import { keepsAccessLists } from './answer-headers.js';
import { deriveKeys, isSameVerification } from './crypto/derive-keys.js';
import { openPrivateKey } from './crypto/rsa.js';
import { type EncKeys, parseEncKeys } from './formats/enc-keys.js';

type PodKeysProblem =
  | 'not-initialised'
  | 'wrong-security-key'
  | 'already-initialised'
  /** The document of the keys is damaged, or its private key does not open with the right security key. */
  | 'damaged';

export class PodKeysError extends AnalyserError {
  override readonly name = 'PodKeysError';

  constructor(
    readonly problem: PodKeysProblem,
    message: string,
  ) {
    super('keys', message);
  }
}

export interface UnlockedPod {
  webId: string;
  root: string;
  appDir: string;
  documents: PodDocuments;
  masterKey: Buffer;
  privateKey: KeyObject;
  /** Whether the server uses Web Access Control, with its rules in .acl documents. */
  hasAccessLists: boolean;
  /** The content of enc-keys.ttl at the unlocking: if it differs later, the owner has sealed the keys anew. */
  encKeys: EncKeys;
  dispose(): void;
}

export interface PodAccess {
  readonly client: SolidClient;
  /** The Analyser's own. */
  readonly pod: UnlockedPod;
}

export interface LockedPod {
  webId: string;
  appDir: string;
  securityKey: string;
}

/** Returns `known` if enc-keys.ttl has not changed since that Pod was unlocked. */
export async function unlockPod(
  client: SolidClient,
  lock: LockedPod,
  known: UnlockedPod | null = null,
): Promise<UnlockedPod> {
  const { webId, root } = requireWebId(lock.webId);
  const documents = podDocuments(root, lock.appDir);
  let hasAccessLists = false;
  const onHeaders = (headers: Readonly<Record<string, string>>) => {
    hasAccessLists = keepsAccessLists(documents.encKeys, headers);
  };
  const encKeys = await readEncKeys(client, documents.encKeys, lock, onHeaders);
  if (known !== null && isDeepStrictEqual(encKeys, known.encKeys)) return known;
  const { masterKey, verification } = await deriveKeys(lock.securityKey, encKeys.salt);
  if (!isSameVerification(verification, encKeys.verification)) {
    throw new PodKeysError(
      'wrong-security-key',
      `The configured security key does not match the one that ${documents.encKeys} was made with. ` +
        `Set the security key that was chosen when ${webId} was initialised.`,
    );
  }
  const privateKey = openPrivateKey(encKeys.sealedPrivateKey, masterKey);
  if (privateKey === null) {
    throw new PodKeysError(
      'damaged',
      `The security key is right, but the private key in ${documents.encKeys} does not open. ` +
        'Restore that document from a backup.',
    );
  }
  return {
    webId,
    root,
    appDir: lock.appDir,
    documents,
    masterKey,
    privateKey,
    hasAccessLists,
    encKeys,
    dispose: () => {
      masterKey.fill(0);
    },
  };
}

/** Without this document nothing can be done, so whatever is wrong with it is an error of the login or of the keys. */
async function readEncKeys(
  client: SolidClient,
  url: string,
  lock: LockedPod,
  onHeaders: NonNullable<ReadOptions['onHeaders']>,
): Promise<EncKeys> {
  try {
    const document = await getTurtle(client, url, { maxBytes: 1_048_576, onHeaders });
    if (document) return parseEncKeys(document);
  } catch (error) {
    if (error instanceof AnalyserError && error.kind === 'malformed') {
      throw new PodKeysError('damaged', error.message);
    }
    if (!(error instanceof ServerError) || error.details.status !== 403) throw error;
    throw new ServerError(
      'login',
      `${url} may not be read (HTTP 403). Check that the client credentials are bound to ${lock.webId}, ` +
        'and not to another WebID.',
      { url, status: 403, cause: error },
    );
  }
  throw new PodKeysError(
    'not-initialised',
    `${url} does not exist: the Pod of ${lock.webId} was never initialised for the application folder "${lock.appDir}". ` +
      'Log in to it once with the app and choose a security key, or use the setup mode; ' +
      'then set the same security key here.',
  );
}
