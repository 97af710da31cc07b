import { AnalyserError } from '../../base/errors.js';
import { secretNames, secretsFileOf } from '../../config/secrets.js';
import { initialisePod } from '../../pod/initialise-pod.js';
import { PodKeysError } from '../../pod/unlock-pod.js';
import { issueClientCredentials } from '../../solid/css-account.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import type { ClientCredentials } from '../../solid/login/login.js';
import { stoppedBy } from '../../solid/solid-client.js';
import { makeUpSecret, refuseShortKey } from '../new-security-key.js';
import { findAccount, findPod } from './own-account.js';
import {
  type AnalyserIdentity,
  createSecretsFile,
  readKept,
  requireEnvValues,
  writeConfig,
  writeSecretsFile,
} from './write-config.js';

const names = {
  securityKey: secretNames.securityKey.variable,
  clientId: secretNames.clientId.variable,
  clientSecret: secretNames.clientSecret.variable,
  grpcToken: secretNames.grpcToken.variable,
};

export interface SetupOptions {
  /** Ends in a slash. */
  serverUrl: string;
  email: string;
  password: string;
  podName: string;
  appDir: string;
  configFile: string;
  /** Null to call `askSecurityKey`. */
  securityKey: string | null;
  /** The answer may be blank: the Pod then gets a key that is made up. */
  askSecurityKey: () => Promise<string>;
  /** Null to have one made up; blank for none. */
  grpcToken: string | null;
  more?: object;
}

/**
 * A set-up that broke off can be started again: each step looks at what exists, the secrets are kept before any of them
 * is in use, and the configuration is written last.
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

  const { account, isNew } = await findAccount(options, signal);
  say('account', isNew ? `created for ${email}` : `logged in as ${email}`);
  const pod = await findPod(account, podName);
  const { webId } = pod;
  say('Pod', `${pod.isNew ? 'created' : 'found'}: ${webId}`);
  await (kept === null ? createSecretsFile : writeSecretsFile)(configFile, own);
  let { [names.clientId]: clientId = '', [names.clientSecret]: clientSecret = '' } = own;
  if (clientId === '' || clientSecret === '') {
    const wanted = { name: 'bp-analyser', webId };
    ({ clientId, clientSecret } = await issueClientCredentials(account, wanted));
    const issued = { [names.clientId]: clientId, [names.clientSecret]: clientSecret };
    await writeSecretsFile(configFile, { ...own, ...issued });
  }
  say('credentials', `in ${secretsFileOf(configFile)}, bound to ${webId}`);
  const identity = { webId, serverUrl, appDir };
  const credentials = { clientId, clientSecret };
  say('keys', await prepareKeys({ ...identity, securityKey, credentials }, signal));
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

async function prepareKeys(
  {
    serverUrl,
    credentials,
    ...lock
  }: AnalyserIdentity & { securityKey: string; credentials: ClientCredentials },
  signal: AbortSignal,
): Promise<string> {
  const allowedOrigins = [lock.webId];
  const client = createSolidClient({ serverUrl, allowedOrigins, credentials });
  try {
    (await initialisePod(stoppedBy(client, signal), lock)).dispose();
    return 'made';
  } catch (error) {
    const isThere = error instanceof PodKeysError && error.problem === 'already-initialised';
    if (!isThere) throw error;
    return 'found, and the security key opens them';
  } finally {
    await client.close();
  }
}
