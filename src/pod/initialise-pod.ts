import { randomBytes } from 'node:crypto';
import { AnalyserError, ServerError } from '../base/errors.js';
import { putDocument } from '../solid/documents/write-document.js';
import type { SolidClient } from '../solid/solid-client.js';
import { requireAccessLists } from './access-control.js';
import { type PodDocuments, parseWebId, podDocuments } from './addresses.js';
import { deriveKeys, type KeyVersion } from './crypto/derive-keys.js';
import { sealPrivateKey } from './crypto/private-key-cipher.js';
import { createKeyPair, publicBodyOf } from './crypto/rsa.js';
import {
  aclAddress,
  everyoneRule,
  type Mode,
  ownerRule,
  writeAcl,
} from './documents/access-control-list.js';
import { buildEncKeys } from './documents/enc-keys.js';
import { buildEmptyIndKeys } from './documents/ind-keys.js';
import { buildEmptyLog } from './documents/permissions-log.js';
import { buildPublicKey } from './documents/public-key.js';
import { PodKeysError } from './pod-keys-error.js';
import { type PodLock, type UnlockedPod, unlockPod } from './unlock-pod.js';

export interface NewPod extends PodLock {
  /** Default: 2. */
  keyVersion?: KeyVersion;
}

/**
 * Makes a Pod ready for encrypted data, as the app does at its first use. One that was left
 * half finished is completed; keys that exist are never replaced.
 */
export async function initialisePod(client: SolidClient, pod: NewPod): Promise<UnlockedPod> {
  const webId = parseWebId(pod.webId);
  if (!webId) throw new AnalyserError('configuration', `${pod.webId} is not a WebID.`);
  const documents = podDocuments(webId.root, pod.appDir);
  await requireAccessLists(client, webId.root, pod.signal);
  const isNew = await createEncKeys(client, documents, pod);
  const unlocked = await unlockPod(client, pod);
  const added = await addMissingDocuments(client, unlocked, pod.signal);
  if (isNew || added) return unlocked;
  unlocked.dispose();
  throw new PodKeysError(
    'already-initialised',
    `${webId.webId} is already initialised: ${documents.encKeys} exists, and keys are never replaced.`,
  );
}

async function createEncKeys(
  client: SolidClient,
  documents: PodDocuments,
  { securityKey, keyVersion = 2, signal }: NewPod,
): Promise<boolean> {
  const salt = keyVersion === 2 ? randomBytes(16) : null;
  const { masterKey, verification } = await deriveKeys(securityKey, salt);
  const { privatePem } = await createKeyPair();
  const sealedPrivateKey = sealPrivateKey(privatePem, masterKey);
  masterKey.fill(0);
  const turtle = buildEncKeys(documents.encKeys, {
    keyVersion,
    salt,
    verification,
    sealedPrivateKey,
  });
  return createDocument(client, documents.encKeys, turtle, signal);
}

/** Answers whether anything was missing. */
async function addMissingDocuments(
  client: SolidClient,
  { webId, documents, privateKey }: UnlockedPod,
  signal?: AbortSignal,
): Promise<boolean> {
  const { indKeys, publicKey, sharedFolder, permissionsLog } = documents;
  const open = (resource: string, ...modes: Mode[]): [string, string] => [
    aclAddress(resource),
    writeAcl(resource, [ownerRule(resource, webId), everyoneRule(resource, modes)]),
  ];
  const wanted: [string, string][] = [
    [indKeys, buildEmptyIndKeys(indKeys)],
    [publicKey, buildPublicKey(publicKey, publicBodyOf(privateKey))],
    open(publicKey, 'read'),
    [permissionsLog, buildEmptyLog(permissionsLog)],
    open(permissionsLog, 'append'),
    open(sharedFolder, 'read', 'write'),
  ];
  let added = false;
  for (const [url, turtle] of wanted) {
    if (await createDocument(client, url, turtle, signal)) added = true;
  }
  return added;
}

/** False when there is one already; it stays as it is. */
async function createDocument(
  client: SolidClient,
  url: string,
  turtle: string,
  signal?: AbortSignal,
): Promise<boolean> {
  try {
    await putDocument(client, url, turtle, { ifAbsent: true, signal });
    return true;
  } catch (error) {
    if (error instanceof ServerError && error.details.status === 412) return false;
    throw error;
  }
}
