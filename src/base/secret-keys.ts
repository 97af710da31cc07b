/** The names of keys whose values are never shown: of config.yaml and of the app's settings. */
export const secretKeys = [
  'security_key',
  'client_id',
  'client_secret',
  'token',
  'redis_url',
  'password',
] as const;

/** The same as the code has them, and the headers that carry secrets. */
export const secretProperties: readonly string[] = [
  ...secretKeys,
  'securityKey',
  'clientId',
  'clientSecret',
  'grpcToken',
  'redisUrl',
  'access_token',
  'authorization',
  'Authorization',
  'dpop',
  'DPoP',
];
