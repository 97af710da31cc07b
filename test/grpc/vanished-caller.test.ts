import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../support/listen.js';
import { PlainClient } from './plain-client.js';
import { alice, completed } from './scripted-engine.js';
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

test('the analysis of a caller who answers no pings any more is cancelled', async () => {
  await using service = await serve({ pingEveryMs: 100 });
  using line = await openLine(service.server.port);
  // Broken at the end, with the line.
  line.client.analyse(alice).catch(() => undefined);
  const run = await service.engine.begun(1);
  line.die();
  await expect.poll(() => run.signal.aborted).toBe(true);
  expect(await service.client().status()).toMatchObject({ ready: true });
});

test('a caller who answers pings is waited for as long as it takes', async () => {
  await using service = await serve({ pingEveryMs: 20 });
  const call = service.client().analyse(alice);
  const run = await service.engine.begun(1);
  await new Promise((done) => setTimeout(done, 300));
  expect(run.signal.aborted).toBe(false);
  run.finish(completed);
  expect(await call).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
});
