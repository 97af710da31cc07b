import { AnalyserError } from '../../base/errors.js';
import { secretNames, secretsFileOf } from '../../config/secrets.js';
import { initialisePod } from '../../pod/initialise-pod.js';
import { PodKeysError } from '../../pod/unlock-pod.js';
import { issueClientCredentials } from '../../solid/css-account.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import { stoppedBy } from '../../solid/solid-client.js';
import { makeUpSecret, refuseShortKey } from '../new-security-key.js';
import { findAccount, findPod } from './own-account.js';
import {
  type AnalyserIdentity,
  createSecretsFile,
  readKept,
  requireEnvValues,
  type Variables,
  writeConfig,
  writeSecretsFile,
} from './write-config.js';

/** The names of the variables. */
const names = {
  securityKey: secretNames.securityKey.variable,
  clientId: secretNames.clientId.variable,
  clientSecret: secretNames.clientSecret.variable,
  grpcToken: secretNames.grpcToken.variable,
};

/** The operator's decisions; set-up finds out everything else. */
export interface SetupOptions {
  /** Ends in a slash. */
  serverUrl: string;
  email: string;
  password: string;
  podName: string;
  appDir: string;
  /** There is no such file yet. */
  configFile: string;
  /** Null to call `askSecurityKey`. */
  securityKey: string | null;
  /** The answer may be blank: the Pod then gets a key that is made up. */
  askSecurityKey: () => Promise<string>;
  /** Null to have one made up; blank for none. */
  grpcToken: string | null;
  /** Further sections of the configuration. */
  more?: object;
}

/**
 * Makes a working Pod and configuration, given the address of a server. Each step first looks at what exists, so a
 * set-up that broke off can be started again: the secrets are kept before any of them is in use, and the configuration
 * is written last.
 */
export async function setUpAnalyser(
  options: SetupOptions,
  say: (step: string, finding: string) => void,
  signal: AbortSignal,
): Promise<AnalyserIdentity> {
  const { serverUrl, email, podName, appDir, configFile, more = {} } = options;
  const kept = await readKept(configFile);
  const securityKey = await chooseKey(options, kept?.[names.securityKey] || null);
  refuseShortKey(securityKey);
  const grpcToken = options.grpcToken ?? (kept?.[names.grpcToken] || makeUpSecret());
  const own = { ...kept, [names.securityKey]: securityKey, [names.grpcToken]: grpcToken };
  requireEnvValues(own);

  const account = await findAccount(options, signal);
  say('account', account.isNew ? `created for ${email}` : `logged in as ${email}`);
  const pod = await findPod(account.value, podName);
  const { webId } = pod.value;
  say('Pod', `${pod.isNew ? 'created' : 'found'}: ${webId}`);
  await (kept === null ? createSecretsFile : writeSecretsFile)(configFile, own);
  let secrets: Variables = own;
  if (!own[names.clientId] || !own[names.clientSecret]) {
    const issued = await issueClientCredentials(account.value, { name: 'bp-analyser', webId });
    const { clientId, clientSecret } = issued;
    secrets = { ...own, [names.clientId]: clientId, [names.clientSecret]: clientSecret };
    await writeSecretsFile(configFile, secrets);
  }
  say('credentials', `kept, bound to ${webId}`);
  const identity = { webId, serverUrl, appDir };
  say('keys', await prepareKeys(identity, secrets, signal));
  await writeConfig(configFile, identity, more);
  say('configuration', `${configFile} written, the secrets beside it, readable by you alone`);
  return identity;
}

/** A key that an earlier set-up has kept may be in use, so no other is put in its place. */
async function chooseKey(
  { securityKey, askSecurityKey, configFile }: SetupOptions,
  kept: string | null,
): Promise<string> {
  if (kept === null) return (securityKey ?? (await askSecurityKey())) || makeUpSecret();
  if (securityKey === null || securityKey === kept) return kept;
  throw new AnalyserError(
    'configuration',
    `${secretsFileOf(configFile)} holds another security key, of a set-up that broke off: give that one, or put the file aside.`,
  );
}

/** Makes the keys of the Pod, or finds that those it has open with this security key. */
async function prepareKeys(
  { webId, serverUrl, appDir }: AnalyserIdentity,
  secrets: Variables,
  signal: AbortSignal,
): Promise<string> {
  const securityKey = secrets[names.securityKey] ?? '';
  const credentials = {
    clientId: secrets[names.clientId] ?? '',
    clientSecret: secrets[names.clientSecret] ?? '',
  };
  const client = createSolidClient({ serverUrl, allowedOrigins: [webId], credentials });
  try {
    (await initialisePod(stoppedBy(client, signal), { webId, appDir, securityKey })).dispose();
    return 'made';
  } catch (error) {
    const isThere = error instanceof PodKeysError && error.problem === 'already-initialised';
    if (!isThere) throw error;
    return 'found, and the security key opens them';
  } finally {
    await client.close();
  }
}
