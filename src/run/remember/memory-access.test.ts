import { expect, onTestFinished, test, vi } from 'vitest';
import { publishers, publishingOf } from '../../../test/support/publishing.js';
import { refuse } from '../../../test/support/recording-client.js';
import { folderForEach } from '../../../test/support/temp-folder.js';
import { wait } from '../../../test/support/wait.js';
import type { ServerFailure } from '../../base/errors.js';
import { configSchema } from '../../config/schema.js';
import { emptyMemory } from '../../memory/memory.js';
import { memoryUrl } from '../../memory/stored-memory.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { readMemoryNote } from '../../store/memory-note.js';
import { memoryAccess } from './memory-access.js';

const folder = folderForEach();
const { signal: never } = new AbortController();
const claims = new Map([['a key', ['a Pod']]]);

const nothingSent = { hasSentFigures: () => Promise.resolve(false) };
const configOf = (webId: string, enabled = true) =>
  configSchema.parse({
    analyser: { web_id: webId, server_url: 'https://pods.example/' },
    output: { state_dir: folder() },
    sharing: { enabled },
  });

/** Keeps a memory where writing it may fail; tells what stands on the server, and what this machine has noted. */
async function kept({ failure, enabled = true }: { failure?: ServerFailure; enabled?: boolean }) {
  const { server, analyser } = await publishers();
  const isFailed = (url: string) => failure !== undefined && url === memoryUrl(analyser.pod);
  const client = refuse(
    analyser.client,
    (url, how) => how?.method === 'PUT' && isFailed(url),
    failure,
  );
  const { connection } = publishingOf(analyser, client);
  const config = configOf(analyser.webId, enabled);
  const access = memoryAccess(connection, config, nothingSent);
  const outcome = await access.keep(await access.read(), { ...emptyMemory(), claims }, never);
  const noted = await readMemoryNote(folder(), analyser.pod.webId);
  const isThere = server.textOf(memoryUrl(analyser.pod)) !== null;
  return { outcome, noted, isThere, read: () => access.read() };
}

test('[1.8] what was stored is there, and this machine has noted which version it was', async () => {
  const { outcome, noted, isThere, read } = await kept({});
  expect([outcome, isThere]).toEqual([null, true]);
  expect(noted).toMatchObject({ state: 'read', version: 1, digest: expect.stringMatching(/./) });
  expect(await read()).toMatchObject({ version: 1, memory: { claims, withheld: null } });
});

test.each<[ServerFailure, RegExp]>([
  ['refused', /^https:.*memory\.txt could not be written: .* HTTP 507$/],
  ['slow', /^https:.*memory\.txt .*[^.]$/],
])(
  '[6.2] where the server is %s, the reason is told and nothing is noted',
  async (failure, reason) => {
    const { outcome, noted, isThere } = await kept({ failure });
    expect(outcome).toMatch(reason);
    expect([isThere, noted]).toEqual([false, { state: 'read', version: 0, digest: '' }]);
  },
);

test('a trial run, which shares nothing, remembers nothing', async () => {
  const { outcome, noted, isThere } = await kept({ enabled: false });
  expect([outcome, isThere, noted]).toEqual([
    null,
    false,
    { state: 'read', version: 0, digest: '' },
  ]);
});

/** With the first memory, of a Pod in which another implementation may have published. */
test('nothing begins while nobody can tell which keys readers hold', async () => {
  const { server, analyser } = await publishers();
  const { indKeys } = analyser.pod.documents;
  server.put(indKeys, 'no Turtle');
  const { connection } = publishingOf(analyser, analyser.client);
  const access = memoryAccess(connection, configOf(analyser.webId), nothingSent);
  await expect(access.read()).rejects.toThrow(`${indKeys} is not a Turtle document`);
});

test('a memory that is not taken is waited for no longer than twenty seconds', async () => {
  const { analyser } = await publishers();
  let tellAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve;
  });
  const client: SolidClient = {
    ...analyser.client,
    async request(url, options = {}) {
      if (options.method !== 'PUT') return await analyser.client.request(url, options);
      tellAsked();
      await wait(Number.POSITIVE_INFINITY, options.signal);
      throw new Error('It ended without a reason.');
    },
  };
  const { connection } = publishingOf(analyser, client);
  const access = memoryAccess(connection, configOf(analyser.webId), nothingSent);
  const found = await access.read();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const outcome = access.keep(found, { ...emptyMemory(), claims }, never);
  await asked;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await outcome).toMatch(/memory\.txt took more than 20 seconds to be written to$/);
});
