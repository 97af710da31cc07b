import { randomBytes } from 'node:crypto';
import { AnalyserError, ServerError } from '../../base/errors.js';
import type { FoundSecrets } from '../../config/secrets.js';
import { podDocuments } from '../../pod/addresses.js';
import { initialisePod } from '../../pod/initialise-pod.js';
import { unlockPod } from '../../pod/unlock-pod.js';
import {
  type CssAccount,
  deleteClientCredentials,
  issueClientCredentials,
} from '../../solid/css-account.js';
import { createSolidClient, type HttpSolidClient } from '../../solid/http-solid-client.js';
import type { ClientCredentials } from '../../solid/login.js';
import {
  type AnalyserIdentity,
  type ConfigPlaces,
  listDifferences,
  type Overrides,
  readExisting,
  writeConfigFiles,
} from './config-files.js';
import { findAccount, findPod } from './find-account.js';

/** What the operator decided; everything else is found out. */
export interface SetupWishes {
  /** Ends in a slash. */
  serverUrl: string;
  email: string;
  password: string;
  podName: string;
  appDir: string;
  places: ConfigPlaces;
  /** Null: that of the configuration, or what `askSecurityKey` answers. */
  securityKey: string | null;
  /** For a Pod whose key is not known; blank generates one for a new Pod. */
  askSecurityKey: (isNewPod: boolean) => Promise<string>;
  /** Change an existing configuration that is for another Analyser. */
  replace: boolean;
  overrides?: Overrides;
}

export interface SetupReport {
  /** One step done, with what was found. */
  say: (step: string, finding: string) => void;
  /** A security key that nobody has seen yet; called once, before it is used. */
  showNewKey: (securityKey: string) => void;
}

/**
 * From an address to a Pod and a configuration that work. Each step looks before it acts, so
 * one that broke off is simply started again.
 */
export async function setUpAnalyser(
  wishes: SetupWishes,
  report: SetupReport,
  signal: AbortSignal,
): Promise<AnalyserIdentity> {
  const { serverUrl, email, password, podName, appDir, places } = wishes;
  const { say } = report;
  const account = await findAccount(serverUrl, { email, password }, signal);
  say('account', account.isNew ? `created for ${email}` : `logged in as ${email}`);

  const pod = await findPod(account.value, podName, signal);
  const { webId, root } = pod.value;
  say('Pod', `${pod.isNew ? 'created' : 'found'}: ${webId}`);

  const identity = { webId, serverUrl, appDir };
  const existing = await readExisting(places);
  if (existing !== null) requireSame(listDifferences(existing.config, identity), wishes);
  const found = existing?.found ?? null;

  const { encKeys } = podDocuments(root, appDir);
  const { credentials, client, withdraw } = await findCredentials(
    account.value,
    { ...identity, encKeys, found },
    say,
    signal,
  );
  let isKept = false;
  try {
    const isNewPod = (await client.request(encKeys, { signal })).status === 404;
    const securityKey = await chooseKey(wishes, report, { webId, found, isNewPod });
    const lock = { webId, appDir, securityKey, signal };
    if (!isNewPod) (await unlockPod(client, lock)).dispose();
    // Before the Pod is initialised: a key that is in use must be written down somewhere.
    const secrets = { ...credentials, securityKey };
    const changed = await writeConfigFiles(places, identity, secrets, wishes.overrides);
    isKept = true;
    say('configuration', describeChange(places, changed));
    const wasIncomplete = await completeKeys(client, lock);
    say('keys', describeKeys(isNewPod, wasIncomplete));
  } finally {
    if (!isKept) await withdraw();
    await client.close();
  }
  return identity;
}

/** The given key, the one of the configuration, a typed one, or for a new Pod a generated one. */
async function chooseKey(
  { securityKey, askSecurityKey, places, replace }: SetupWishes,
  { showNewKey }: SetupReport,
  pod: { webId: string; found: FoundSecrets | null; isNewPod: boolean },
): Promise<string> {
  const kept = pod.found?.securityKey?.value ?? null;
  if (securityKey !== null) {
    const isSame = kept === null || kept === securityKey;
    requireSame(isSame ? [] : ['it holds another security key'], { places, replace });
    return securityKey;
  }
  const known = kept ?? (await askSecurityKey(pod.isNewPod));
  if (known !== '') return known;
  if (!pod.isNewPod) {
    throw new AnalyserError(
      'keys',
      `${pod.webId} is initialised already: give the security key that was chosen then as APP_ANALYSER_SECURITY_KEY.`,
    );
  }
  const generated = randomBytes(24).toString('base64url');
  showNewKey(generated);
  return generated;
}

function describeChange({ config }: ConfigPlaces, changed: readonly string[]): string {
  if (changed.length === 0) return `${config} is as it should be`;
  return `${changed.join(' and ')} written, readable by you alone`;
}

function describeKeys(isNewPod: boolean, wasIncomplete: boolean): string {
  if (isNewPod) return 'the Pod was initialised';
  return wasIncomplete
    ? 'found, and what was missing beside them was added'
    : 'found, and the security key opens them';
}

/** Answers whether anything was missing; keys that exist stay. */
async function completeKeys(
  client: HttpSolidClient,
  lock: { webId: string; appDir: string; securityKey: string; signal: AbortSignal },
): Promise<boolean> {
  try {
    (await initialisePod(client, lock)).dispose();
    return true;
  } catch (error) {
    // The key was tried before, so what this says is that nothing is missing.
    if (error instanceof AnalyserError && error.kind === 'keys') return false;
    throw error;
  }
}

function requireSame(
  differences: readonly string[],
  { places, replace }: Pick<SetupWishes, 'places' | 'replace'>,
): void {
  if (differences.length === 0 || replace) return;
  throw new AnalyserError(
    'configuration',
    `${places.config} is for something else: ${differences.join('; ')}. Name another file with ` +
      '--config, or have it changed with --replace.',
  );
}

interface UsableCredentials {
  credentials: ClientCredentials;
  client: HttpSolidClient;
  /** Deletes what was issued only now, when it cannot be kept. */
  withdraw: () => Promise<void>;
}

/** Those of the configuration when they work; otherwise new ones, since a secret is shown only once. */
async function findCredentials(
  account: CssAccount,
  pod: Pick<AnalyserIdentity, 'webId' | 'serverUrl'> & {
    encKeys: string;
    found: FoundSecrets | null;
  },
  say: SetupReport['say'],
  signal: AbortSignal,
): Promise<UsableCredentials> {
  const { webId, serverUrl, encKeys } = pod;
  const { clientId, clientSecret } = pod.found ?? {};
  const open = (credentials: ClientCredentials) =>
    createSolidClient({ serverUrl, allowedOrigins: [webId], credentials });
  if (clientId && clientSecret) {
    const credentials = { clientId: clientId.value, clientSecret: clientSecret.value };
    const client = open(credentials);
    if (await canRead(client, encKeys, signal)) {
      say('credentials', 'those of the configuration work');
      return { credentials, client, withdraw: () => Promise.resolve() };
    }
    await client.close();
    say('credentials', 'those of the configuration are of no use any more');
  }
  const issued = await issueClientCredentials(account, { name: 'bp-analyser', webId }, signal);
  say('credentials', `issued, bound to ${webId}`);
  const credentials = { clientId: issued.clientId, clientSecret: issued.clientSecret };
  const withdraw = () => deleteClientCredentials(account, issued.resource).catch(() => undefined);
  return { credentials, client: open(credentials), withdraw };
}

/** Only the owner learns whether a closed document exists. */
async function canRead(
  client: HttpSolidClient,
  url: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { status } = await client.request(url, { signal });
    return status === 200 || status === 404;
  } catch (error) {
    if (error instanceof ServerError && error.failure === 'login') return false;
    throw error;
  }
}
