import { randomBytes } from 'node:crypto';
import { AnalyserError } from '../../base/errors.js';
import type { EffectiveConfig } from '../../config/load-config.js';
import type { FoundSecrets } from '../../config/secrets.js';
import { podDocuments } from '../../pod/addresses.js';
import { initialisePod } from '../../pod/initialise-pod.js';
import { PodKeysError } from '../../pod/pod-keys-error.js';
import { unlockPod } from '../../pod/unlock-pod.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { stoppedBy } from '../../solid/stopped-by.js';
import { cleanTemporaryFilesOf } from '../../store/atomic-file.js';
import { type KeyOptions, securityKeyChooser } from './choose-security-key.js';
import {
  type AnalyserIdentity,
  type ConfigPlaces,
  isOfAnotherPod,
  listDifferences,
  type Overrides,
  podOrigins,
  readExisting,
  withSetupLock,
  writeConfigFiles,
} from './config-files.js';
import { findAccount, findCredentials, findPod } from './own-account.js';

/** The operator's decisions; set-up finds out everything else. */
export interface SetupOptions extends KeyOptions {
  /** Ends in a slash. */
  serverUrl: string;
  appDir: string;
  places: ConfigPlaces;
  /** Null to keep the token of the configuration. If that has none, `makesToken` says whether to make a token. */
  grpcToken: string | null;
  /** Whether a token is made for a configuration that was never in use. */
  makesToken: boolean;
  /** Asks for the password again before an account is created; throws when the two entries differ. */
  confirmNewAccount: () => Promise<void>;
  /** Whether to overwrite a configuration of another Analyser. */
  replace: boolean;
  overrides?: Overrides;
}

export interface SetupReport {
  say: (step: string, finding: string) => void;
  /** Shows a generated security key, which nobody has seen yet; called once, before the key is used. */
  showNewKey: (securityKey: string) => void;
  showNewToken: (grpcToken: string) => void;
}

/**
 * Makes a working Pod and configuration, given the address of a server. Each step first looks at what exists, so a
 * set-up that broke off can be started again. A configuration of another Analyser is noticed before anything is
 * created.
 */
export function setUpAnalyser(
  options: SetupOptions,
  report: SetupReport,
  signal: AbortSignal,
): Promise<AnalyserIdentity> {
  const { places } = options;
  return withSetupLock(places.config, async () => {
    // A set-up that was killed may have left half of a file, with secrets in it.
    for (const path of [places.config, places.env]) {
      if (path !== null) await cleanTemporaryFilesOf(path);
    }
    const existing = await readExisting(places);
    if (existing !== null) requireSame(isOfAnotherPod(existing.config, options), options);
    return await setUp(options, existing, report, signal);
  });
}

async function setUp(
  options: SetupOptions,
  existing: EffectiveConfig | null,
  report: SetupReport,
  signal: AbortSignal,
): Promise<AnalyserIdentity> {
  const { serverUrl, email, podName, appDir, places } = options;
  const { say } = report;
  const found = existing?.found ?? null;
  const keptKey = found?.securityKey?.value ?? null;
  const chooseKey = securityKeyChooser(options, keptKey);
  // The key is chosen before anything is created, so that a refused key leaves nothing behind.
  const beforeNew = async () => {
    await chooseKey(true);
  };
  const confirmNewAccount = async () => {
    await beforeNew();
    await options.confirmNewAccount();
  };
  const account = await findAccount(serverUrl, { ...options, confirmNewAccount }, signal);
  say('account', account.isNew ? `created for ${email}` : `logged in as ${email}`);
  const pod = await findPod(account.value, podName, beforeNew);
  const { webId, root } = pod.value;
  say('Pod', `${pod.isNew ? 'created' : 'found'}: ${webId}`);
  const identity = { webId, serverUrl, appDir };
  if (existing !== null) requireSame(listDifferences(existing.config, identity), options);

  const { encKeys } = podDocuments(root, appDir);
  const wanted = { ...identity, encKeys, found };
  const usable = await findCredentials(account.value, wanted, say, signal);
  const { credentials, client, withdraw } = usable;
  let isKept = false;
  try {
    const isNew = (await client.request(encKeys, { signal })).status === 404;
    requireSame(isOtherKey(options, keptKey) ? ['it holds another security key'] : [], options);
    const chosenKey = await chooseKey(isNew);
    if (chosenKey === '' && !isNew) throw keyNeeded(webId);
    const securityKey = chosenKey || newSecret();
    const lock = { webId, appDir, securityKey };
    const stoppable = stoppedBy(client, signal);
    if (!isNew) (await unlockPod(stoppable, lock)).dispose();
    if (chosenKey === '') report.showNewKey(securityKey);
    const { grpcToken, isNewToken } = chooseToken(options, found);
    // The configuration is written before the Pod is initialised, so that a key in use is always stored somewhere.
    const secrets = { ...credentials, securityKey, grpcToken };
    const overrides = [...podOrigins(identity, existing), ...(options.overrides ?? [])];
    const written = await writeConfigFiles(places, identity, secrets, overrides);
    const wasIncomplete = await completeKeys(stoppable, lock).catch(async (error: unknown) => {
      // Somebody else has initialised the Pod meanwhile, with another key.
      if (error instanceof PodKeysError) await written.undo();
      throw error;
    });
    isKept = true;
    say('configuration', describeChange(places, written.changed));
    if (grpcToken !== null && isNewToken) report.showNewToken(grpcToken);
    say('keys', describeKeys(isNew, wasIncomplete));
  } finally {
    if (!isKept) await withdraw();
    await client.close();
  }
  return identity;
}

function isOtherKey({ securityKey }: SetupOptions, kept: string | null): boolean {
  return securityKey !== null && kept !== null && securityKey !== kept;
}

/** Keeps a token that callers have; makes one only for a configuration that was never in use. */
function chooseToken(options: SetupOptions, found: FoundSecrets | null) {
  const known = options.grpcToken ?? found?.grpcToken?.value ?? null;
  const isNewToken = known === null && options.makesToken && !found?.clientId;
  return { grpcToken: isNewToken ? newSecret() : known, isNewToken };
}

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

function keyNeeded(webId: string): AnalyserError {
  return new AnalyserError(
    'keys',
    `${webId} is initialised already: give the security key that was chosen then as APP_ANALYSER_SECURITY_KEY.`,
  );
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

/** Returns whether keys were missing; existing keys stay and must open with this security key. */
async function completeKeys(
  client: SolidClient,
  lock: { webId: string; appDir: string; securityKey: string },
): Promise<boolean> {
  try {
    (await initialisePod(client, lock)).dispose();
    return true;
  } catch (error) {
    if (error instanceof PodKeysError && error.problem === 'already-initialised') return false;
    throw error;
  }
}

function requireSame(
  differences: readonly string[],
  { places, replace }: Pick<SetupOptions, 'places' | 'replace'>,
): void {
  if (differences.length === 0 || replace) return;
  throw new AnalyserError(
    'configuration',
    `${places.config} is for something else: ${differences.join('; ')}. Name another file with ` +
      '--config, or have it changed with --replace.',
  );
}
