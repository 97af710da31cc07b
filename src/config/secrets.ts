import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { AnalyserError, codeOf } from '../base/errors.js';
import {
  type ConfigSource,
  firstGiven,
  type ParsedFile,
  valueAt,
  withGiven,
} from './config-file.js';
import type { FoundSecrets, Secrets } from './schema.js';

/** The key of each secret in config.yaml, and the variable that wins over it. */
export const secretNames: Record<keyof Secrets, { key: string; variable: string }> = {
  securityKey: { key: 'analyser.security_key', variable: 'APP_ANALYSER_SECURITY_KEY' },
  clientId: { key: 'analyser.credentials.client_id', variable: 'APP_ANALYSER_CLIENT_ID' },
  clientSecret: {
    key: 'analyser.credentials.client_secret',
    variable: 'APP_ANALYSER_CLIENT_SECRET',
  },
  grpcToken: { key: 'grpc.token', variable: 'APP_ANALYSER_GRPC_TOKEN' },
  redisUrl: { key: 'scale.redis_url', variable: 'APP_ANALYSER_REDIS_URL' },
};

/** A misspelt variable would be passed over, and a port that is believed guarded would be open. */
export function requireKnownVariables(names: Iterable<string>, where = ''): void {
  const secrets = Object.values(secretNames).map(({ variable }) => variable);
  const known = ['APP_ANALYSER_CONFIG', ...secrets];
  for (const name of names) {
    if (!name.startsWith('APP_ANALYSER_') || known.includes(name)) continue;
    throw new AnalyserError(
      'configuration',
      `${where}${name} is unknown; correct or remove it. The variables are ${known.join(', ')}.`,
    );
  }
}

export function secretsFileOf(configFile: string): string {
  return `${configFile.replace(/\.ya?ml$/, '')}.env`;
}

/** The file may be closed to this account: systemd, for one, reads it as root and hands on the variables. */
export async function readSecretsFile(configFile: string) {
  const path = secretsFileOf(configFile);
  const none: NodeJS.Dict<string> = {};
  try {
    const values = parseEnv(await readFile(path, 'utf8'));
    requireKnownVariables(Object.keys(values), `${path}: `);
    return { path, values, isClosed: false };
  } catch (error) {
    if (error instanceof AnalyserError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT') return { path, values: none, isClosed: false };
    if (code === 'EACCES' || code === 'EPERM') return { path, values: none, isClosed: true };
    const message = `${path} cannot be read (${code ?? 'unknown error'}).`;
    throw new AnalyserError('configuration', message, { cause: error });
  }
}

/** The configuration with the secrets in place: the environment wins over the secrets file, and that over the file. */
export async function withSecrets(file: ParsedFile, env: ConfigSource['env']): Promise<ParsedFile> {
  const { path, values } = await readSecretsFile(file.path);
  const given = Object.values(secretNames).flatMap(({ key, variable }) =>
    firstGiven(key, [env[variable], variable], [values[variable], `${path}: ${variable}`]),
  );
  return withGiven(file, given);
}

export function holdsSecrets(value: unknown): boolean {
  return Object.values(secretNames).some(({ key }) => valueAt(value, key) !== undefined);
}

export function requireSecrets(found: FoundSecrets, path: string): Secrets {
  const { securityKey, clientId, clientSecret } = found;
  if (securityKey !== null && clientId !== null && clientSecret !== null) {
    return { ...found, securityKey, clientId, clientSecret };
  }
  const missing = (['securityKey', 'clientId', 'clientSecret'] as const)
    .filter((name) => found[name] === null)
    .map((name) => `${secretNames[name].key} (${secretNames[name].variable})`);
  throw new AnalyserError(
    'configuration',
    `Missing credentials: ${missing.join(', ')}. Set each in the environment, in ${secretsFileOf(path)}, if this account may read that, or in ${path}.`,
  );
}
