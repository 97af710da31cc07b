import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseEnv } from 'node:util';
import { AnalyserError } from '../../base/errors.js';
import { loadEffectiveConfig } from '../../config/load-config.js';
import type { Config } from '../../config/schema.js';
import { type FoundSecrets, secretPlaces } from '../../config/secrets.js';
import { writeFileAtomically } from '../../store/atomic-file.js';
import { setYamlValue } from './set-yaml-value.js';

/** Where the operator wants the configuration and, if apart, its secrets. Absolute. */
export interface ConfigPlaces {
  config: string;
  env: string | null;
}

export interface AnalyserIdentity {
  webId: string;
  serverUrl: string;
  appDir: string;
}

export interface NewSecrets {
  securityKey: string;
  clientId: string;
  clientSecret: string;
}

/** Further keys of config.yaml with their values. */
export type Overrides = readonly (readonly [key: string, value: string | number | null])[];

const names = ['securityKey', 'clientId', 'clientSecret'] as const;
const example = new URL('../../../config.example.yaml', import.meta.url);

/** What an earlier set-up left; null when there is no configuration yet. */
export async function readExisting(
  places: ConfigPlaces,
): Promise<{ config: Config; found: FoundSecrets } | null> {
  if ((await readText(places.config)) === null) return null;
  const env = { ...(await readEnvFile(places.env)), APP_ANALYSER_CONFIG: places.config };
  return await loadEffectiveConfig({ env, cwd: '/' });
}

export async function readEnvFile(path: string | null): Promise<Record<string, string>> {
  const text = path === null ? null : await readText(path);
  const entries = Object.entries(parseEnv(text ?? ''));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** The keys in which an existing configuration is for another Analyser than the wanted one. */
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
 * Writes both files, readable by their owner only, and leaves everything else in them as it
 * is, comments included. Answers the names of those that changed.
 */
export async function writeConfigFiles(
  places: ConfigPlaces,
  identity: AnalyserIdentity,
  secrets: NewSecrets,
  overrides: Overrides = [],
): Promise<string[]> {
  const before = await readText(places.config);
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
  const text = values.reduce(
    (edited, [key, value]) => setYamlValue(edited, key, value),
    before ?? (await readFile(example, 'utf8')),
  );
  const changed: string[] = [];
  if (text !== before) {
    await writeFileAtomically(places.config, text, 0o600);
    changed.push(basename(places.config));
  }
  if (places.env !== null && (await writeEnvFile(places.env, secrets))) {
    changed.push(basename(places.env));
  }
  return changed;
}

async function writeEnvFile(path: string, secrets: NewSecrets): Promise<boolean> {
  const before = (await readText(path)) ?? '';
  const known = await readEnvFile(path);
  if (names.every((name) => known[secretPlaces[name].variable] === secrets[name])) return false;
  const variables = names.map((name) => secretPlaces[name].variable);
  const kept = before
    .split('\n')
    .filter((line) => line !== '' && !variables.some((name) => line.includes(`${name}=`)));
  const lines = names.map((name) => `${secretPlaces[name].variable}=${quote(secrets[name])}`);
  await writeFileAtomically(path, `${[...kept, ...lines].join('\n')}\n`, 0o600);
  return true;
}

/** In a form that a shell, systemd and Node.js read alike. */
function quote(value: string): string {
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  throw new AnalyserError(
    'configuration',
    'A security key with a quote or a line break in it cannot be kept in an env file.',
  );
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return null;
  }
}
