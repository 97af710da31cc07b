import { setTimeout as pause } from 'node:timers/promises';
import { credentials } from '@grpc/grpc-js';
import { z } from 'zod';
import { AnalyserClient } from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { startChild } from './child.js';
import { askStatus } from './service.js';

const PAUSE_MS = 10;

/** A gRPC server that only answers, in a process of its own. */
export async function startBareServer(): Promise<{
  client: AnalyserClient;
  stop(): Promise<void>;
}> {
  const { told, stop } = await startChild('bare-grpc', {}, z.object({ port: z.number() }));
  const client = new AnalyserClient(`127.0.0.1:${told.port}`, credentials.createInsecure());
  return {
    client,
    async stop() {
      client.close();
      await stop();
    },
  };
}

/** Calls Status and Cancel of each server in turns until the work is done: milliseconds for each. */
export async function probeDuring(
  clients: readonly AnalyserClient[],
  work: () => Promise<unknown>,
): Promise<number[][]> {
  const milliseconds = clients.map(() => new Array<number>());
  let ended = false;
  const working = work().finally(() => {
    ended = true;
  });
  while (!ended) {
    for (const call of [askStatus, cancel]) {
      for (const [index, client] of clients.entries()) {
        const start = performance.now();
        await call(client);
        milliseconds[index]?.push(performance.now() - start);
      }
    }
    await pause(PAUSE_MS);
  }
  await working;
  return milliseconds;
}

function cancel(client: AnalyserClient): Promise<unknown> {
  const nobody = { web_id: 'http://localhost/nobody/profile/card#me', requested_at: '' };
  return new Promise((resolve, reject) => {
    client.cancel(nobody, (error, reply) => (error === null ? resolve(reply) : reject(error)));
  });
}
