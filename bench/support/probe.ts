import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { callCancel, callStatus } from '../../src/client/calls.js';
import type { ServiceConnection } from '../../src/client/dial.js';
import { startChild } from './child.js';
import { dialPort } from './service.js';

const PAUSE_MS = 10;
const NOBODY = 'http://localhost/nobody/profile/card#me';
const calls = [callStatus, (connection: ServiceConnection) => callCancel(connection, NOBODY)];

/** A gRPC server that only answers, in a process of its own. */
export async function startBareServer(): Promise<
  AsyncDisposable & { connection: ServiceConnection }
> {
  const child = await startChild('bare-grpc', {}, z.object({ port: z.number() }));
  const connection = dialPort(child.told.port);
  return {
    connection,
    async [Symbol.asyncDispose]() {
      connection.close();
      await child[Symbol.asyncDispose]();
    },
  };
}

/** Calls Status and Cancel of each server in turns until the work is done: milliseconds for each. */
export async function probeDuring(
  connections: readonly ServiceConnection[],
  work: () => Promise<unknown>,
): Promise<number[][]> {
  const milliseconds = connections.map(() => new Array<number>());
  let ended = false;
  const working = work().finally(() => {
    ended = true;
  });
  while (!ended) {
    for (const call of calls) {
      for (const [index, connection] of connections.entries()) {
        const start = performance.now();
        await call(connection);
        milliseconds[index]?.push(performance.now() - start);
      }
    }
    await pause(PAUSE_MS);
  }
  await working;
  return milliseconds;
}
