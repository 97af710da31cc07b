import { expect, test } from 'vitest';
import { alice, bob } from './scripted-analyses.js';
import { serve } from './serve.js';

const carol = 'https://pods.example/carol/profile/card#me';
const crowded = { message: 'There are too many analyses waiting; try again later.' };

test('[T12][T16] of several lines of x-forwarded-for the last is believed, which the trusted proxy has written', async () => {
  await using service = await serve({ grpc: { max_queued: 1, trusted_proxies: ['127.0.0.1'] } });
  const call = (webId: string, forged: string, real: string) =>
    service.client().analyse(webId, {}, {}, { 'x-forwarded-for': [forged, real] });
  const first = call(alice, '203.0.113.9', '198.51.100.7');
  const run = await service.analyses.begun(1);
  const second = call(bob, '203.0.113.10', '198.51.100.7');
  await expect.poll(() => service.client().status()).toMatchObject({ active_runs: 2 });
  // The newest waiting call of the busiest address gives way: that of bob, whatever he forges.
  const third = call(carol, '203.0.113.9', '198.51.100.8');
  expect(await second).toMatchObject(crowded);
  run.fail(new Error('The test is over.'));
  await first;
  (await service.analyses.begun(2)).fail(new Error('The test is over.'));
  await third;
});
