import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { holdTimers } from '../support/held-timers.js';
import { listen } from '../support/listen.js';
import { PlainClient } from './plain-client.js';
import { alice, completed } from './scripted-analyses.js';
import { serve } from './serve.js';

/** A line between a caller and the service that can go dead without a word to either. */
async function openLine(port: number) {
  const ends: Socket[] = [];
  const line = createServer((caller) => {
    const service = connect(port, '127.0.0.1');
    ends.push(caller, service);
    caller.pipe(service).pipe(caller);
  });
  const client = new PlainClient(await listen(line));
  return {
    client,
    die() {
      for (const end of ends) end.unpipe().pause();
    },
    [Symbol.dispose]() {
      client.close();
      for (const end of ends) end.destroy();
      line.close();
    },
  };
}

test('[0.12] the analysis of a caller who answers no pings any more is cancelled', async () => {
  const pass = holdTimers('setInterval');
  await using service = await serve();
  using line = await openLine(service.server.port);
  // Broken at the end, with the line.
  line.client.analyse(alice).catch(() => undefined);
  const run = await service.analyses.begun(1);
  line.die();
  await pass(25_000);
  expect(run.signal.aborted).toBe(false);
  await pass(25_000);
  await expect.poll(() => run.signal.aborted).toBe(true);
  expect(await service.client().status()).toMatchObject({ ready: true });
});

test('a caller who answers pings is waited for as long as it takes', async () => {
  const pass = holdTimers('setInterval');
  await using service = await serve();
  const call = service.client().analyse(alice);
  const run = await service.analyses.begun(1);
  for (let ping = 0; ping < 4; ping++) await pass(25_000);
  expect(run.signal.aborted).toBe(false);
  run.finish(completed);
  expect(await call).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
});
