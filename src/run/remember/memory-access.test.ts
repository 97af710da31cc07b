import { expect, test } from 'vitest';
import { publishers, publishingOf } from '../../../test/support/publishing.js';
import { refuse } from '../../../test/support/recording-client.js';
import { folderForEach } from '../../../test/support/temp-folder.js';
import type { ServerFailure } from '../../base/errors.js';
import { configSchema } from '../../config/schema.js';
import { emptyMemory } from '../../memory/memory.js';
import { memoryUrl } from '../../memory/stored-memory.js';
import { readMemoryNote } from '../../store/memory-note.js';
import { memoryAccess } from './memory-access.js';

const folder = folderForEach();
const { signal: never } = new AbortController();
const claims = new Map([['a key', ['a Pod']]]);

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
  const config = configSchema.parse({
    analyser: { web_id: analyser.webId, server_url: 'https://pods.example/' },
    output: { state_dir: folder() },
    sharing: { enabled },
  });
  const access = memoryAccess(connection, config, { hasSentFigures: () => Promise.resolve(false) });
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
