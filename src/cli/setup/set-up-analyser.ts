import { randomBytes } from 'node:crypto';
import { AnalyserError, ServerError } from '../../base/errors.js';
import type { FoundSecrets } from '../../config/secrets.js';
import { podDocuments } from '../../pod/addresses.js';
import { initialisePod } from '../../pod/initialise-pod.js';
import { unlockPod } from '../../pod/unlock-pod.js';
import { type CssAccount, issueClientCredentials } from '../../solid/css-account.js';
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
  { say, showNewKey }: SetupReport,
  signal: AbortSignal,
): Promise<AnalyserIdentity> {
  const { serverUrl, email, password, podName, appDir, places } = wishes;
  const account = await findAccount(serverUrl, { email, password }, signal);
  say('account', account.isNew ? `created for ${email}` : `logged in as ${email}`);

  const pod = await findPod(account.value, podName, signal);
  const { webId } = pod.value;
  say('Pod', `${pod.isNew ? 'created' : 'found'}: ${webId}`);

  const identity = { webId, serverUrl, appDir };
  const existing = await readExisting(places);
  if (existing !== null) requireSame(listDifferences(existing.config, identity), wishes);

  const { credentials, client } = await findCredentials(
    account.value,
    identity,
    existing?.found ?? null,
    say,
    signal,
  );
  try {
    await finish(wishes, identity, credentials, client, existing?.found ?? null);
  } finally {
    await client.close();
  }
  return identity;

  async function finish(
    { overrides, replace }: SetupWishes,
    { webId }: AnalyserIdentity,
    credentials: ClientCredentials,
    client: HttpSolidClient,
    found: FoundSecrets | null,
  ): Promise<void> {
    const { encKeys } = podDocuments(webId.slice(0, -'profile/card#me'.length), appDir);
    const isNewPod = (await client.request(encKeys, { signal })).status === 404;
    const securityKey = await chooseKey(found, isNewPod, replace);
    const lock = { webId, appDir, securityKey, signal };
    if (!isNewPod) (await unlockPod(client, lock)).dispose();
    // Before the Pod is initialised: a key that is in use must be written down somewhere.
    const changed = await writeConfigFiles(
      places,
      identity,
      { ...credentials, securityKey },
      overrides,
    );
    say(
      'configuration',
      changed.length === 0
        ? `${places.config} is as it should be`
        : `${changed.join(' and ')} written, readable by you alone`,
    );
    const completed = await complete(client, lock);
    if (isNewPod) say('keys', 'the Pod was initialised');
    else
      say(
        'keys',
        completed
          ? 'found; what was missing beside them was added'
          : 'found, and the security key opens them',
      );
  }

  async function chooseKey(
    found: FoundSecrets | null,
    isNewPod: boolean,
    replace: boolean,
  ): Promise<string> {
    const kept = found?.securityKey?.value ?? null;
    if (wishes.securityKey !== null) {
      if (kept !== null && kept !== wishes.securityKey) {
        requireSame(['the security key is another one'], { places, replace });
      }
      return wishes.securityKey;
    }
    const known = kept ?? (await wishes.askSecurityKey(isNewPod));
    if (known !== '') return known;
    if (!isNewPod) {
      throw new AnalyserError(
        'keys',
        `${webId} is initialised already: give the security key that was chosen then as APP_ANALYSER_SECURITY_KEY.`,
      );
    }
    const generated = randomBytes(24).toString('base64url');
    showNewKey(generated);
    return generated;
  }
}

/** Answers whether anything was missing; keys that exist stay. */
async function complete(
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

/** Those of the configuration when they work; otherwise new ones, since a secret is shown only once. */
async function findCredentials(
  account: CssAccount,
  { webId, serverUrl, appDir }: AnalyserIdentity,
  found: FoundSecrets | null,
  say: SetupReport['say'],
  signal: AbortSignal,
): Promise<{ credentials: ClientCredentials; client: HttpSolidClient }> {
  const { clientId, clientSecret } = found ?? {};
  const open = (credentials: ClientCredentials) =>
    createSolidClient({ serverUrl, allowedOrigins: [webId], credentials });
  if (clientId && clientSecret) {
    const credentials = { clientId: clientId.value, clientSecret: clientSecret.value };
    const client = open(credentials);
    if (await areBound(client, webId, appDir, signal)) {
      say('credentials', 'those of the configuration work');
      return { credentials, client };
    }
    await client.close();
    say('credentials', 'those of the configuration are of no use any more');
  }
  const wanted = { name: 'bp-analyser', webId };
  const issued = await issueClientCredentials(account, wanted, signal);
  say('credentials', `issued, bound to ${webId}`);
  const credentials = { clientId: issued.clientId, clientSecret: issued.clientSecret };
  return { credentials, client: open(credentials) };
}

async function areBound(
  client: HttpSolidClient,
  webId: string,
  appDir: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { encKeys } = podDocuments(webId.slice(0, -'profile/card#me'.length), appDir);
  try {
    const { status } = await client.request(encKeys, { signal });
    return status === 200 || status === 404;
  } catch (error) {
    if (error instanceof ServerError && error.failure === 'login') return false;
    throw error;
  }
}
