import { AnalyserError } from '../base/errors.js';
import type { ConfigSource } from './config-file.js';
import {
  type ConfigFile,
  isRedisUrl,
  redisUrlPhrase,
  tokenPattern,
  tokenPhrase,
} from './file-schema.js';
import type { Secrets } from './schema.js';

/** The key and the variable that can hold each secret. */
export const secretPlaces = {
  securityKey: { key: 'analyser.security_key', variable: 'APP_ANALYSER_SECURITY_KEY' },
  clientId: { key: 'analyser.credentials.client_id', variable: 'APP_ANALYSER_CLIENT_ID' },
  clientSecret: {
    key: 'analyser.credentials.client_secret',
    variable: 'APP_ANALYSER_CLIENT_SECRET',
  },
  grpcToken: { key: 'grpc.token', variable: 'APP_ANALYSER_GRPC_TOKEN' },
  redisUrl: { key: 'scale.redis_url', variable: 'APP_ANALYSER_REDIS_URL' },
} as const;

export type SecretName = keyof typeof secretPlaces;

export interface FoundSecret {
  value: string;
  from: 'file' | 'environment';
}
export type FoundSecrets = Record<SecretName, FoundSecret | null>;

/** The environment wins; blank is the same as not set. */
export function findSecrets(file: ConfigFile, env: ConfigSource['env']): FoundSecrets {
  const find = (name: SecretName, written: string | undefined): FoundSecret | null => {
    const given = env[secretPlaces[name].variable];
    if (given !== undefined && given.trim() !== '') return { value: given, from: 'environment' };
    if (written !== undefined && written.trim() !== '') return { value: written, from: 'file' };
    return null;
  };
  return {
    securityKey: find('securityKey', file.analyser.security_key),
    clientId: find('clientId', file.analyser.credentials?.client_id),
    clientSecret: find('clientSecret', file.analyser.credentials?.client_secret),
    grpcToken: find('grpcToken', file.grpc.token),
    redisUrl: find('redisUrl', file.scale.redis_url),
  };
}

/** Problems of the variables themselves; never quotes what they hold. */
export function checkVariables(env: ConfigSource['env']): string[] {
  const rules = [
    {
      ...secretPlaces.grpcToken,
      isRight: (text: string) => tokenPattern.test(text),
      phrase: tokenPhrase,
    },
    { ...secretPlaces.redisUrl, isRight: isRedisUrl, phrase: redisUrlPhrase },
  ];
  return rules.flatMap(({ variable, isRight, phrase }) => {
    const value = env[variable] ?? '';
    return value.trim() === '' || isRight(value) ? [] : [`${variable}: expected ${phrase}.`];
  });
}

/** Complete secrets, or one error that lists all that are missing. */
export function requireSecrets(found: FoundSecrets, path: string): Secrets {
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
    .map((name) => `${secretPlaces[name].key} (${secretPlaces[name].variable})`);
  throw new AnalyserError(
    'configuration',
    `Missing credentials: ${missing.join(', ')}. Set each in the environment, or in ${path}.`,
  );
}
