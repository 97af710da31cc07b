import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { AnalyserError, codeOf } from '../../base/errors.js';
import { hostsBelow, originSet } from '../../base/origin-set.js';
import { originsOf } from '../../config/allowed-origins.js';
import { type EffectiveConfig, loadEffectiveConfig } from '../../config/load-config.js';
import type { Config, Secrets } from '../../config/schema.js';
import { secretPlaces } from '../../config/secrets.js';
import { writeFileAtomically } from '../../store/atomic-file.js';
import { diskError } from '../../store/disk-error.js';
import { readText } from '../read-text.js';
import { setYamlValue, type YamlValue } from './set-yaml-value.js';

/** Absolute paths of the configuration and, if separate, its secrets. */
export interface ConfigPlaces {
  config: string;
  env: string | null;
}

export interface AnalyserIdentity {
  webId: string;
  serverUrl: string;
  appDir: string;
}

type NewSecrets = Omit<Secrets, 'redisUrl'>;

export type Overrides = readonly (readonly [key: string, value: YamlValue])[];

const names = ['securityKey', 'clientId', 'clientSecret', 'grpcToken'] as const;
const example = new URL('../../../config.example.yaml', import.meta.url);

/** Allows one set-up at a time for a configuration; takes over the lock of a process that has ended. */
export async function withSetupLock<T>(configFile: string, work: () => Promise<T>): Promise<T> {
  const lock = join(dirname(configFile), `.${basename(configFile)}.setup`);
  if (!(await create(lock))) {
    const pid = (await readFile(lock, 'utf8').catch(() => '')).trim();
    if (isGone(pid)) await rm(lock, { force: true });
    if (!(await create(lock))) {
      throw new AnalyserError(
        'configuration',
        `Another set-up works on ${configFile} (process ${pid}): wait for its end, or remove ${lock} when there is none.`,
      );
    }
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

function isGone(pid: string): boolean {
  if (!/^[1-9]\d{0,9}$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === 'ESRCH';
  }
}

async function create(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw diskError('write', lock, error);
  }
}

/** Reads what an earlier set-up wrote; null when there is no configuration yet. */
export async function readExisting(places: ConfigPlaces): Promise<EffectiveConfig | null> {
  if ((await readText(places.config)) === null) return null;
  const env = { ...(await readEnvFile(places.env)), APP_ANALYSER_CONFIG: places.config };
  return await loadEffectiveConfig({ env, cwd: '/' });
}

export async function readEnvFile(path: string | null): Promise<Record<string, string>> {
  const text = path === null ? null : await readText(path);
  const entries = Object.entries(parseEnv(text ?? ''));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/**
 * The differences between the configuration and the wanted Analyser. The Pod is not known yet, so its address is
 * guessed from its name: on a Community Solid Server, a Pod has either a path or a host of its own.
 */
export function isOfAnotherPod(
  config: Config,
  { serverUrl, podName, appDir }: { serverUrl: string; podName: string; appDir: string },
): string[] {
  const { protocol, host } = new URL(serverUrl);
  const roots = [`${serverUrl}${podName}/`, `${protocol}//${podName.toLowerCase()}.${host}/`];
  const webIds = roots.map((root) => `${root}profile/card#me`);
  const is = config.analyser.web_id;
  const webId = webIds.find((candidate) => candidate === is) ?? webIds[0] ?? '';
  return listDifferences(config, { webId, serverUrl, appDir });
}

/** The keys in which an existing configuration differs from the wanted Analyser. */
export function listDifferences(config: Config, wanted: AnalyserIdentity): string[] {
  const { web_id, server_url, app_dir_name } = config.analyser;
  const pairs = [
    ['analyser.web_id', web_id, wanted.webId],
    ['analyser.server_url', server_url, wanted.serverUrl],
    ['analyser.app_dir_name', app_dir_name, wanted.appDir],
  ] as const;
  return pairs.flatMap(([key, is, other]) =>
    is === other ? [] : [`${key} is ${is}, not ${other}`],
  );
}

/**
 * Writes both files, readable by their owner only. Other values and comments in them stay. Returns the names of the
 * files that changed, and a function that restores them.
 */
export async function writeConfigFiles(
  places: ConfigPlaces,
  identity: AnalyserIdentity,
  secrets: NewSecrets,
  overrides: Overrides,
): Promise<{ changed: string[]; undo: () => Promise<void> }> {
  const derived = new URL('/', identity.webId).href;
  const values: Overrides = [
    ['analyser.web_id', identity.webId],
    ['analyser.server_url', identity.serverUrl === derived ? null : identity.serverUrl],
    ['analyser.app_dir_name', identity.appDir],
    ...names.map(
      (name) => [secretPlaces[name].key, places.env === null ? secrets[name] : null] as const,
    ),
    ...overrides,
  ];
  const template = await readFile(example, 'utf8');
  const set = (text: string, [key, value]: Overrides[number]) => setYamlValue(text, key, value);
  const files = [
    await editFile(places.config, (before) => values.reduce(set, before ?? template)),
    ...(places.env === null
      ? []
      : [await editFile(places.env, (before) => setVariables(before ?? '', secrets))]),
  ];
  return {
    changed: files.filter(({ isChanged }) => isChanged).map(({ path }) => basename(path)),
    undo: async () => {
      for (const { undo } of files) await undo();
    },
  };
}

async function editFile(path: string, edit: (before: string | null) => string) {
  const before = await readText(path);
  const text = edit(before);
  const isChanged = text !== before;
  const write = (content: string) => writeFileAtomically(path, content, 0o600);
  if (isChanged) await write(text);
  const undo = () => (before === null ? rm(path, { force: true }) : write(before));
  return { path, isChanged, undo };
}

/**
 * Adds the Pod's origin to data.allowed_origins unless it is there already. If every Pod has a host of its own, it
 * adds a pattern for all Pods of the server, otherwise only the Analyser's origin.
 */
export function podOrigins(
  { webId, serverUrl }: AnalyserIdentity,
  existing: EffectiveConfig | null,
): Overrides {
  const { origin } = new URL(webId);
  const before = existing?.config.data.allowed_origins ?? [];
  const known = originSet([serverUrl, ...originsOf({ allowed_origins: before })]);
  if (known.has(origin)) return [];
  const below = hostsBelow(serverUrl);
  const isBelow = below !== null && originSet([below]).has(origin);
  return [['data.allowed_origins', [...before, isBelow ? below : origin]]];
}

/** Sets the secrets in the text of an env file; a text that has these values already stays as it is. */
function setVariables(text: string, secrets: NewSecrets): string {
  const known = parseEnv(text);
  const places = names.map((name) => ({ ...secretPlaces[name], value: secrets[name] }));
  if (places.every(({ variable, value }) => (known[variable] || null) === value)) return text;
  const kept = text
    .split('\n')
    .filter((line) => line !== '' && !places.some(({ variable }) => isSetIn(line, variable)));
  const lines = places.flatMap(({ variable, value }) =>
    value === null ? [] : [`${variable}=${quote(value)}`],
  );
  return `${[...kept, ...lines].join('\n')}\n`;
}

function isSetIn(line: string, variable: string): boolean {
  return new RegExp(`^\\s*(?:export\\s+)?${variable}\\s*=`).test(line);
}

/** Quotes in a form that a shell, systemd and Node.js all understand. */
function quote(value: string): string {
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  throw new AnalyserError(
    'configuration',
    'A security key with a quote or a line break in it cannot be kept in an env file: choose another, or leave out --secrets-file.',
  );
}
