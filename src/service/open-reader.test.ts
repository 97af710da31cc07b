import { expect, test } from 'vitest';
import { doubleServer } from '../../test/support/double-server.js';
import { noLog } from '../../test/support/no-log.js';
import { fileIn, kindsOf, podAt } from '../../test/support/scripted-reading.js';
import { configSchema } from '../config/schema.js';
import { unobserved } from '../run/observer.js';
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
  const { tools, asked } = doubleServer({ page: () => 403 });
  const root = 'https://pods.example/anna/';
  const readings = await podReader.readShares(
    tools.connection,
    [podAt(root, { fresh: 1 })],
    tools.task,
  );
  expect(readings.map(kindsOf)).toEqual([{ refused: 1 }]);
  expect(asked).toEqual([fileIn(root, 'new0')]);
  await expect(leave()).resolves.toBeUndefined();
});
