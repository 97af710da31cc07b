import { once } from 'node:events';
import { connect } from 'node:net';
import { ChannelCredentials, Client, Metadata, status } from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import { alice, bob, completed } from './scripted-analyses.js';
import { type Service, serve } from './serve.js';

describe('a hostile caller', () => {
  async function stillServes(service: Service): Promise<void> {
    expect(await service.client().status()).toMatchObject({ ready: true });
    expect(service.analyses.runs).toEqual([]);
  }

  test('cannot send a message without bounds', async () => {
    await using service = await serve();
    await expect(
      service.client().call('Analyse', { web_id: 'x'.repeat(300 * 1024) }),
    ).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
    await stillServes(service);
  });

  test.each([
    '/grpc.health.v1.Health/Watch',
    '/grpc.health.v1.Health/List',
    '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
    '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
  ])('finds no call that goes on without end: %s', async (path) => {
    await using service = await serve();
    const call = service.client().send(path, Buffer.alloc(0), (bytes) => bytes);
    await expect(call).rejects.toMatchObject({ code: status.UNIMPLEMENTED });
  });

  test('cannot send a second message', async () => {
    await using service = await serve();
    const client = new Client(
      `127.0.0.1:${service.server.port}`,
      ChannelCredentials.createInsecure(),
    );
    const asIs = (value: Buffer) => value;
    const path = '/healthpod.analyser.v1.Analyser/Status';
    const stream = client.makeBidiStreamRequest(path, asIs, asIs, new Metadata());
    const failed = once(stream.resume(), 'error');
    for (let message = 0; message < 200; message++) stream.write(Buffer.alloc(0));
    expect(await failed).toMatchObject([{ code: status.UNIMPLEMENTED }]);
    client.close();
    await stillServes(service);
  });

  test.each([
    ['no HTTP/2', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['random bytes', Buffer.alloc(4096, 0x7f)],
    [
      'a preface and a broken frame',
      Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.alloc(64, 0xff)]),
    ],
  ])('achieves nothing with %s', async (_what, bytes) => {
    await using service = await serve();
    const socket = connect(service.server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    await once(socket.resume(), 'close');
    await stillServes(service);
  });
});

test('[0.3] too many Analyse calls are refused one by one, while Cancel and Status get through on the same connection', async () => {
  await using service = await serve({ grpc: { max_queued: 59 } });
  const client = service.client();
  const inHand = Array.from({ length: 60 }, () => client.analyse(alice));
  await service.analyses.begun(1);
  const refused = await client.analyse(alice);
  expect(refused).toMatchObject({ status: 'ANALYSE_STATUS_FAILED', run_id: '' });
  expect(refused['message']).toBe('There are too many analyses waiting; try again later.');
  expect(await client.status()).toMatchObject({ ready: true, active_runs: 60 });
  expect(await client.cancel(alice)).toMatchObject({ status: 'CANCEL_STATUS_STOPPED' });
  for (const reply of await Promise.all(inHand)) {
    expect(reply).toMatchObject({ status: 'ANALYSE_STATUS_CANCELLED' });
  }
  const next = client.analyse(bob);
  (await service.analyses.begun(2)).finish(completed);
  expect(await next).toMatchObject({ status: 'ANALYSE_STATUS_COMPLETED' });
});
