import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.js';
import type { ObservedEvent } from '../../src/run/observer.js';
import { createConnector } from '../../src/service/connector.js';
import { createPod, sharedSolidServer } from '../support/solid-server.js';

test('the requests of every try to connect are counted, also of one that fails', async () => {
  const { baseUrl } = sharedSolidServer();
  const pod = await createPod({ baseUrl });
  const config = configSchema.parse({ analyser: { web_id: pod.webId, server_url: baseUrl } });
  const events: ObservedEvent[] = [];
  const observe = (event: ObservedEvent) => void events.push(event);
  const secrets = { securityKey: 'any', grpcToken: null, redisUrl: null, ...pod };
  const connector = createConnector(config, secrets, { observe });
  const connecting = connector.connect(new AbortController().signal);
  await expect(connecting).rejects.toThrow('enc-keys.ttl');
  expect(events).toMatchObject([
    { kind: 'request', method: 'GET', outcome: { status: 200 } },
    { kind: 'request', method: 'POST', outcome: { status: 200 } },
    { kind: 'request', method: 'GET', outcome: { status: 404 } },
    { kind: 'step', name: 'unlock' },
  ]);
});
