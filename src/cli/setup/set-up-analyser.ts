import { AnalyserError } from '../../base/errors.js';
import { secretNames, secretsFileOf } from '../../config/secrets.js';
import { podDocuments, requireWebId } from '../../pod/addresses.js';
import { initialisePod } from '../../pod/initialise-pod.js';
import { PodKeysError } from '../../pod/pod-keys-error.js';
import { type CssAccount, issueClientCredentials } from '../../solid/css-account.js';
import { createSolidClient } from '../../solid/http-solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import { makeUpSecret, refuseShortKey } from '../new-security-key.js';
import { findAccount, findPod } from './own-account.js';
import {
  type AnalyserIdentity,
  createSecretsFile,
  readKept,
  secretsText,
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
  /** The answer may be blank: a new Pod then gets a key that is made up. */
  askSecurityKey: () => Promise<string>;
  /** Null to have one made up; blank for none. */
  grpcToken: string | null;
  /** Asks for the password again before an account is created; throws when the two entries differ. */
  confirmNewAccount: () => Promise<void>;
  /** Further sections of the configuration. */
  more?: object;
}

export interface SetupReport {
  say: (step: string, finding: string) => void;
  /** Shows a secret that was made up; called once for each. */
  showNew: (what: 'security key' | 'token', secret: string) => void;
}

/**
 * Makes a working Pod and configuration, given the address of a server. Each step first looks at what exists, so a
 * set-up that broke off can be started again: the secrets are kept before any of them is in use, and the configuration
 * is written last.
 */
export async function setUpAnalyser(
  options: SetupOptions,
  report: SetupReport,
  signal: AbortSignal,
): Promise<AnalyserIdentity> {
  const { serverUrl, email, podName, appDir, configFile, more = {} } = options;
  const { say, showNew } = report;
  const kept = await readKept(configFile);
  const chosenKey = await chooseKey(options, kept?.[names.securityKey] || null);
  const securityKey = chosenKey || makeUpSecret();
  const chosenToken = options.grpcToken ?? (kept?.[names.grpcToken] || null);
  const grpcToken = chosenToken ?? makeUpSecret();
  const own = { ...kept, [names.securityKey]: securityKey, [names.grpcToken]: grpcToken };
  secretsText(own);

  const beforeNew = () => refuseShortKey(securityKey);
  const account = await findAccount({ ...options, beforeNew }, signal);
  say('account', account.isNew ? `created for ${email}` : `logged in as ${email}`);
  const pod = await findPod(account.value, podName, beforeNew);
  const { webId } = pod.value;
  say('Pod', `${pod.isNew ? 'created' : 'found'}: ${webId}`);
  const identity = { webId, serverUrl, appDir };
  await (kept === null ? createSecretsFile : writeSecretsFile)(configFile, own);
  // Credentials are issued only now: those that cannot be kept would stay in the account, one for each try.
  const secrets = await withCredentials(own, account.value, webId);
  await writeSecretsFile(configFile, secrets);
  say('credentials', `kept, bound to ${webId}`);
  const showKey = chosenKey === '' ? () => showNew('security key', securityKey) : null;
  say('keys', await prepareKeys(identity, { configFile, secrets, showKey }, signal));
  await writeConfig(configFile, identity, more);
  say('configuration', `${configFile} written, the secrets beside it, readable by you alone`);
  if (chosenToken === null) showNew('token', grpcToken);
  return identity;
}

/** The answer may be blank. A key that an earlier set-up has kept may be in use, so no other is put in its place. */
async function chooseKey(
  { securityKey, askSecurityKey, configFile }: SetupOptions,
  kept: string | null,
): Promise<string> {
  if (kept === null) return securityKey ?? (await askSecurityKey());
  if (securityKey === null || securityKey === kept) return kept;
  throw new AnalyserError(
    'configuration',
    `${secretsFileOf(configFile)} holds another security key, of a set-up that broke off: give that one, or put the file aside.`,
  );
}

async function withCredentials(
  secrets: Variables,
  account: CssAccount,
  webId: string,
): Promise<Variables> {
  if (secrets[names.clientId] && secrets[names.clientSecret]) return secrets;
  const issued = await issueClientCredentials(account, { name: 'bp-analyser', webId });
  return {
    ...secrets,
    [names.clientId]: issued.clientId,
    [names.clientSecret]: issued.clientSecret,
  };
}

/**
 * Makes the keys of a new Pod, or finds out whether those of the Pod open with this security key. A key that was made up
 * is shown before it is used; `showKey` is null for any other.
 */
async function prepareKeys(
  { webId, serverUrl, appDir }: AnalyserIdentity,
  {
    configFile,
    secrets,
    showKey,
  }: { configFile: string; secrets: Variables; showKey: (() => void) | null },
  signal: AbortSignal,
): Promise<string> {
  const securityKey = secrets[names.securityKey] ?? '';
  const credentials = {
    clientId: secrets[names.clientId] ?? '',
    clientSecret: secrets[names.clientSecret] ?? '',
  };
  const client = createSolidClient({ serverUrl, allowedOrigins: [webId], credentials });
  try {
    const { encKeys } = podDocuments(requireWebId(webId).root, appDir);
    const isNew = (await client.request(encKeys, { signal })).status === 404;
    if (isNew) {
      refuseShortKey(securityKey);
      showKey?.();
    }
    (await initialisePod(stoppedBy(client, signal), { webId, appDir, securityKey })).dispose();
    return isNew ? 'made' : 'found, and what was missing beside them was added';
  } catch (error) {
    if (!(error instanceof PodKeysError)) throw error;
    if (error.problem === 'already-initialised') return 'found, and the security key opens them';
    // It is not the key of this Pod, so the next set-up has to be given another.
    if (error.problem === 'wrong-security-key') {
      await writeSecretsFile(configFile, { ...secrets, [names.securityKey]: undefined });
      if (showKey !== null) throw keyNeeded(webId);
    }
    throw error;
  } finally {
    await client.close();
  }
}

function keyNeeded(webId: string): AnalyserError {
  return new AnalyserError(
    'keys',
    `${webId} is initialised already: give the security key that was chosen then as APP_ANALYSER_SECURITY_KEY.`,
  );
}
