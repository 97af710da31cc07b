import { z } from 'zod';
import { analyserSection, configSchema, grpcSection, scaleSection } from './schema.js';
import { serverUrl } from './values.js';

/** Quoted, because YAML reads an unquoted 0123 as a number and would lose the zero. */
const secret = z.string({ error: 'text in quotes' });

/** The characters that gRPC metadata can carry, without the space, which would end the token. */
export const tokenPattern = /^[\x21-\x7e]+$/;
export const tokenPhrase = 'visible ASCII characters without spaces';

const redisUrlPattern = /^rediss?:\/\/[^\s/?#]+(\/\d*)?$/;
/** The address of Redis as its own tools write it. */
export const isRedisUrl = (text: string) => redisUrlPattern.test(text) && URL.canParse(text);
export const redisUrlPhrase = 'an address such as rediss://user:password@redis.example.org:6379';

/** config.yaml as people write it: with places for the secrets, and server_url optional. */
export const fileSchema = configSchema.extend({
  analyser: analyserSection.extend({
    server_url: serverUrl.optional(),
    security_key: secret.optional(),
    credentials: z
      .strictObject({ client_id: secret.optional(), client_secret: secret.optional() })
      .optional(),
  }),
  grpc: grpcSection
    .extend({ token: secret.regex(tokenPattern, { error: tokenPhrase }).optional() })
    .prefault({}),
  scale: scaleSection
    .extend({ redis_url: secret.refine(isRedisUrl, { error: redisUrlPhrase }).optional() })
    .prefault({}),
});
export type ConfigFile = z.infer<typeof fileSchema>;
