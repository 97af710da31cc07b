import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { holdTimers } from '../support/held-timers.js';
import { startChild } from './child-service.js';
import { alice, bob, completed } from './scripted-analyses.js';
import { serve } from './serve.js';

const script = fileURLToPath(new URL('./serve-child.ts', import.meta.url));
const child = ['--import', import.meta.resolve('tsx'), script];

const aMinute = 60_000;

describe('stopping', () => {
  test('[0.10] lets the analysis in hand finish, cancels the waiting and takes no new calls', async () => {
    await using service = await serve();
    const client = service.client();
    const inHand = client.analyse(alice);
    const run = await service.analyses.begun(1);
    const waiting = client.analyse(bob);
    await client.status();
    const stopping = service.server.stop(aMinute);
    expect(await waiting).toMatchObject({
      status: 'ANALYSE_STATUS_CANCELLED',
      message: 'The service is shutting down, so the analysis was cancelled.',
    });
    await expect(service.client().status()).rejects.toMatchObject({ code: status.UNAVAILABLE });
    expect(run.signal.aborted).toBe(false);
    run.finish(completed);
    expect(await inHand).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
    await stopping;
    expect(service.analyses.disconnected).toEqual(['connection 1']);
  });

  test('pings callers no longer, and their analysis finishes all the same', async () => {
    const pass = holdTimers('setInterval');
    await using service = await serve();
    const inHand = service.client().analyse(alice);
    const run = await service.analyses.begun(1);
    const stopping = service.server.stop(aMinute);
    for (let ping = 0; ping < 3; ping++) await pass(25_000);
    run.finish(completed);
    expect(await inHand).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
    await stopping;
  });

  test('[0.10] cancels the analysis in hand after the time of grace', async () => {
    await using service = await serve();
    const inHand = service.client().analyse(alice);
    await service.analyses.begun(1);
    const stopping = service.server.stop(20);
    expect(await inHand).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
    await stopping;
  });

  test('[0.4] waits for a publication whatever the time of grace', async () => {
    await using service = await serve();
    const inHand = service.client().analyse(alice);
    const run = await service.analyses.begun(1);
    await run.commit();
    const stopping = service.server.stop(20);
    setTimeout(() => run.finish(completed), 100);
    expect(await inHand).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
    await stopping;
  });
});

describe('a process that serves', () => {
  test('[0.10] finishes its analysis after SIGTERM and ends with 0', async () => {
    await using service = await startChild(child);
    const call = service.client.analyse(alice);
    await service.said('begun');
    service.child.kill('SIGTERM');
    await service.logged('Stopping');
    service.child.stdin.write('finish\n');
    expect(await call).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
    expect(await service.exit).toEqual([0, null]);
  });

  test('ends at once after a second signal, but not when the first one comes twice', async () => {
    await using service = await startChild(child);
    const call = service.client.analyse(alice);
    const broken = expect(call).rejects.toThrow();
    await service.said('begun');
    service.child.kill('SIGINT');
    await service.logged('Stopping');
    service.child.kill('SIGINT');
    await pause(1_500);
    expect(service.child.exitCode).toBeNull();
    service.child.kill('SIGTERM');
    expect(await service.exit).toEqual([0, null]);
    await broken;
  });
});

test('an address of another machine is a sentence about the configuration', async () => {
  await expect(serve({ grpc: { host: '192.0.2.1' } })).rejects.toMatchObject({
    kind: 'configuration',
    message:
      'The port 192.0.2.1:0 (grpc.host, grpc.port) cannot be opened: listen EADDRNOTAVAIL: address not available 192.0.2.1.',
  });
});
