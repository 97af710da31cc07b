import { expect, test } from 'vitest';
import { noLog } from '../../test/support/no-log.js';
import { configSchema } from '../config/schema.js';
import { unobserved } from '../run/observer.js';
import { localPodReader } from '../run/read/read-shares.js';
import { openReader } from './open-reader.js';

const webId = 'https://pods.example/analyser/profile/card#me';
const config = configSchema.parse({
  analyser: { web_id: webId, server_url: 'https://pods.example/' },
});
const secrets = { securityKey: 'any', clientId: 'any', clientSecret: 'any', grpcToken: null };

test('without Redis this process reads, and has nothing to leave', async () => {
  const rest = { build: 'any', log: noLog, observe: unobserved };
  const settings = { config, secrets: { ...secrets, redisUrl: null }, ...rest };
  const { podReader, leave } = await openReader(settings);
  expect(podReader).toBe(localPodReader);
  await expect(leave()).resolves.toBeUndefined();
});
