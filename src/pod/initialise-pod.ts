import { randomBytes } from 'node:crypto';
import { AccessRulesError, ServerError } from '../base/errors.js';
import { putDocument } from '../solid/documents.js';
import type { SolidClient } from '../solid/solid-client.js';
import { type AccessMode, everyoneRule, ownerRule, writeAcl } from './access-control.js';
import {
  aclAddress,
  type PodDocuments,
  podDocuments,
  requireWebId,
  type WebId,
} from './addresses.js';
import { keepsAccessLists } from './answer-headers.js';
import { deriveKeys, type KeyVersion } from './crypto/derive-keys.js';
import { createPrivatePem, publicBodyOf, sealPrivateKey } from './crypto/rsa.js';
import { buildEncKeys } from './formats/enc-keys.js';
import { buildEmptyIndKeys } from './formats/ind-keys.js';
import { buildPublicKey } from './formats/public-key.js';
import { buildEmptyLog } from './sharing/permissions-log.js';
import { type LockedPod, PodKeysError, type UnlockedPod, unlockPod } from './unlock-pod.js';

export interface NewPod extends LockedPod {
  keyVersion?: KeyVersion;
  createKey?: () => Promise<string>;
}

/** As the app does at its first use. A half-finished Pod is completed; keys are never replaced. */
export async function initialisePod(client: SolidClient, pod: NewPod): Promise<UnlockedPod> {
  const webId = requireWebId(pod.webId);
  const documents = podDocuments(webId.root, pod.appDir);
  await refuseOtherRules(client, webId);
  const isNew = await createEncKeys(client, documents, pod);
  const unlocked = await unlockPod(client, pod);
  const added = await addMissingDocuments(client, unlocked);
  if (isNew || added) return unlocked;
  unlocked.dispose();
  throw new PodKeysError(
    'already-initialised',
    `${webId.webId} is already initialised: ${documents.encKeys} exists, and keys are never replaced.`,
  );
}

/** Runs before anything is written. An unreadable profile tells nothing about the server. */
async function refuseOtherRules(client: SolidClient, { webId, root }: WebId): Promise<void> {
  const profile = webId.replace(/#me$/, '');
  const { status, headers } = await client.request(profile, { method: 'HEAD' });
  if (status < 400 && !keepsAccessLists(profile, headers)) throw new AccessRulesError(root);
}

async function createEncKeys(
  client: SolidClient,
  documents: PodDocuments,
  { securityKey, keyVersion = 2, createKey = createPrivatePem }: NewPod,
): Promise<boolean> {
  const salt = keyVersion === 2 ? randomBytes(16) : null;
  const { masterKey, verification } = await deriveKeys(securityKey, salt);
  const sealedPrivateKey = sealPrivateKey(await createKey(), masterKey);
  masterKey.fill(0);
  const turtle = buildEncKeys(documents.encKeys, {
    keyVersion,
    salt,
    verification,
    sealedPrivateKey,
  });
  return createDocument(client, documents.encKeys, turtle);
}

async function addMissingDocuments(
  client: SolidClient,
  { webId, documents, privateKey }: UnlockedPod,
): Promise<boolean> {
  const { indKeys, publicKey, sharedFolder, permissionsLog } = documents;
  const open = (resource: string, ...modes: AccessMode[]): [string, string] => [
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
    if (await createDocument(client, url, turtle)) added = true;
  }
  return added;
}

/** Returns false when the document exists already; it stays as it is. */
async function createDocument(client: SolidClient, url: string, turtle: string): Promise<boolean> {
  try {
    await putDocument(client, url, turtle, { ifAbsent: true });
    return true;
  } catch (error) {
    if (error instanceof ServerError && error.details.status === 412) return false;
    throw error;
  }
}
