import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { stringify } from 'yaml';
import { AnalyserError, codeOf } from '../../base/errors.js';
import { hostsBelow, originSet } from '../../base/origin-set.js';
import { readSecretsFile, secretsFileOf } from '../../config/secrets.js';
import { diskError, makeFolder, writeFileAtomically } from '../../store/files.js';

export interface AnalyserIdentity {
  webId: string;
  serverUrl: string;
  appDir: string;
}

/** The variables of the file of secrets: those of the Analyser, and what else stood there. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The configuration is written last, so where there is one, a set-up has ended. */
export function requireNone(configFile: string): void {
  if (!existsSync(configFile)) return;
  throw new AnalyserError(
    'configuration',
    `There is a configuration at ${configFile} already, so nothing was changed, neither here nor on the server: run check to see whether it works, name another file with --config for another Analyser, or, to set this one up anew, put ${configFile} and ${secretsFileOf(configFile)} aside and give the security key of its Pod.`,
  );
}

export async function readKept(configFile: string): Promise<Variables | null> {
  if (!existsSync(secretsFileOf(configFile))) return null;
  const { path, values, isClosed } = await readSecretsFile(configFile);
  if (!isClosed) return values;
  throw new AnalyserError(
    'configuration',
    `${path} cannot be read by this account: run setup as its owner, or put the file aside.`,
  );
}

/** Refuses values that no env file can hold, in a form that a shell, systemd and Node.js all understand. */
export function requireEnvValues(secrets: Variables): void {
  for (const [name, value = ''] of Object.entries(secrets)) {
    if (!/['\n\r]/.test(value)) continue;
    throw new AnalyserError(
      'configuration',
      `${name} has a quote or a line break in it, which an env file cannot hold: choose another, or set the Analyser up by hand.`,
    );
  }
}

/** Makes the file, before the Pod gets its key. Of two set-ups at once, the second would put another key in its place. */
export async function createSecretsFile(configFile: string, secrets: Variables): Promise<void> {
  const path = secretsFileOf(configFile);
  try {
    await makeFolder(dirname(path));
    await writeFile(path, secretsText(secrets), { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw diskError('write', path, error);
    throw new AnalyserError(
      'configuration',
      `Another set-up has written ${path} meanwhile: run setup again when that has ended.`,
    );
  }
}

export async function writeSecretsFile(configFile: string, secrets: Variables): Promise<void> {
  await writeFileAtomically(secretsFileOf(configFile), secretsText(secrets), 0o600);
}

function secretsText(secrets: Variables): string {
  const set = Object.entries(secrets).filter(([, value = '']) => value !== '');
  return set.map(([name, value]) => `${name}='${value}'\n`).join('');
}

export async function writeConfig(
  configFile: string,
  identity: AnalyserIdentity,
  more: object,
): Promise<void> {
  const { webId, serverUrl, appDir } = identity;
  const origins = podOrigins(identity);
  const values = {
    analyser: {
      web_id: webId,
      ...(serverUrl === new URL('/', webId).href ? {} : { server_url: serverUrl }),
      ...(appDir === 'app' ? {} : { app_dir_name: appDir }),
    },
    ...(origins.length === 0 ? {} : { data: { allowed_origins: origins } }),
    ...more,
  };
  const remark = `# Only what differs from the defaults: config.example.yaml has every key. The secrets are in ${basename(secretsFileOf(configFile))}.\n`;
  await writeFileAtomically(configFile, remark + stringify(values), 0o600);
}

/** The origin of the Pod if it is not the server's; if every Pod has a host of its own, the pattern of all of them. */
function podOrigins({ webId, serverUrl }: AnalyserIdentity): string[] {
  const { origin } = new URL(webId);
  if (origin === new URL(serverUrl).origin) return [];
  const below = hostsBelow(serverUrl);
  return [below !== null && originSet([below]).has(origin) ? below : origin];
}
