import { AnalyserError } from '../base/errors.js';
import type { ConfigSource } from './config-file.js';
import { listSecretKeys, type SecretKey } from './keys.js';
import { valueAt } from './problems.js';
import { configSchema, type Secrets } from './schema.js';
import type { SecretsFile } from './secrets-file.js';

export type SecretName = keyof Secrets;

export interface FoundSecret {
  value: string;
  from: 'file' | 'secrets file' | 'environment';
}
export type FoundSecrets = Record<SecretName, FoundSecret | null>;

const secretKeys = listSecretKeys(configSchema);

/** Calls `find` for the key of each secret; returns the results by the secret's name in the code. */
function bySecret<T>(find: (key: SecretKey) => T): Record<SecretName, T> {
  const at = (...path: string[]) => {
    const key = secretKeys.find((secret) => secret.path.join('.') === path.join('.'));
    if (key === undefined) throw new Error(`${path.join('.')} is not marked as a secret.`);
    return find(key);
  };
  return {
    securityKey: at('analyser', 'security_key'),
    clientId: at('analyser', 'credentials', 'client_id'),
    clientSecret: at('analyser', 'credentials', 'client_secret'),
    grpcToken: at('grpc', 'token'),
    redisUrl: at('scale', 'redis_url'),
  };
}

/** The key and the variable that can hold each secret. */
export const secretNames = bySecret(({ path, variable }) => ({ key: path.join('.'), variable }));

/**
 * Finds the value of each secret. The environment wins over the secrets file, and that over the configuration; a blank
 * value counts as not set.
 */
export function findSecrets(
  file: unknown,
  env: ConfigSource['env'],
  secretsFile: SecretsFile,
): FoundSecrets {
  return bySecret(({ path, variable }): FoundSecret | null => {
    const places = [
      { value: env[variable], from: 'environment' as const },
      { value: secretsFile.values[variable], from: 'secrets file' as const },
      { value: valueAt(file, path), from: 'file' as const },
    ];
    for (const { value, from } of places) {
      if (typeof value === 'string' && value.trim() !== '') return { value, from };
    }
    return null;
  });
}

/** Whether a file holds any secret, even if the environment overrides it. */
export function holdsSecrets(file: unknown): boolean {
  return secretKeys.some(({ path }) => {
    const value = valueAt(file, path) ?? '';
    return typeof value !== 'string' || value.trim() !== '';
  });
}

/** The problems of secrets in variables, of the environment or of a file; their values are never quoted. */
export function checkVariables(env: ConfigSource['env'], place = ''): string[] {
  return secretKeys.flatMap(({ variable, rules }) => {
    const value = env[variable] ?? '';
    const problem = value.trim() === '' ? undefined : rules.safeParse(value).error?.issues[0];
    return problem === undefined ? [] : [`${place}${variable}: expected ${problem.message}.`];
  });
}

/** Complete secrets, or one error that lists all that are missing. */
export function requireSecrets(
  found: FoundSecrets,
  path: string,
  secretsFile: SecretsFile,
): Secrets {
  const { securityKey, clientId, clientSecret, grpcToken, redisUrl } = found;
  if (securityKey !== null && clientId !== null && clientSecret !== null) {
    return {
      securityKey: securityKey.value,
      clientId: clientId.value,
      clientSecret: clientSecret.value,
      grpcToken: grpcToken?.value ?? null,
      redisUrl: redisUrl?.value ?? null,
    };
  }
  const missing = (['securityKey', 'clientId', 'clientSecret'] as const)
    .filter((name) => found[name] === null)
    .map((name) => `${secretNames[name].key} (${secretNames[name].variable})`);
  throw new AnalyserError(
    'configuration',
    `Missing credentials: ${missing.join(', ')}. Set each in the environment, in ${secretsFile.path}${secretsFile.isClosed ? ' (which this account may not read)' : ''} or in ${path}.`,
  );
}
