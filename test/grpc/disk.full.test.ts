import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startAnalyserService } from '../support/analyser-service.js';
import { createInitialisedPod } from '../support/initialised-pod.js';
import { sharedSolidServer } from '../support/solid-server.js';

const server = sharedSolidServer();
const notReady = {
  ready: false,
  message: 'The service could not write to its own disk. The log of the service says why.',
};
const analyser = await createInitialisedPod(server);

test('a disk that cannot be written makes the service not ready, until it can be', async () => {
  const pauses = { firstMs: 100, longestMs: 100, evidenceMs: 0 };
  await using service = await startAnalyserService(server, analyser, { pauses });
  const { client, folder } = service;
  await expect.poll(() => client.status()).toMatchObject({ ready: true });
  const results = join(folder, 'results');
  // Root may write anywhere, but not below a file. The service may make the folder anew in between.
  await vi.waitFor(async () => {
    await rm(results, { recursive: true });
    await writeFile(results, '');
  });
  await expect.poll(() => client.status()).toMatchObject(notReady);
  await rm(results);
  await mkdir(results, { recursive: true });
  await expect.poll(() => client.status()).toMatchObject({ ready: true });
});
