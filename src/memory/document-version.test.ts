import { expect, test } from 'vitest';
import { ServerError } from '../base/errors.js';
import type { SolidAnswer, SolidClient, SolidRequest } from '../solid/solid-client.js';
import { bodyDigest, readVersion, replaceVersion } from './document-version.js';

const url = 'https://pods.example/analyser/app/analyser/memory.txt';
const address = { url, maxBytes: 1_000 };

type Step = (options: SolidRequest, stored: Stored) => number;
interface Stored {
  body: string | null;
  etag: string | null;
}

/** One document, and what becomes of each write, in their order; the last step holds for all that follow. */
function serverWith(
  body: string | null,
  { etag = '"1"', writes = [taken] }: Partial<Stored> & { writes?: Step[] } = {},
) {
  const stored: Stored = { body, etag };
  const steps = [...writes];
  const conditions: unknown[] = [];
  const client: SolidClient = {
    async request(_url, options = {}): Promise<SolidAnswer> {
      await Promise.resolve();
      const answer = { url, headers: {}, body: Buffer.alloc(0) };
      if (options.method !== 'PUT') {
        if (stored.body === null) return { ...answer, status: 404 };
        const headers = stored.etag === null ? {} : { etag: stored.etag };
        return { status: 200, url, headers, body: Buffer.from(stored.body) };
      }
      conditions.push(options.headers?.['if-match'] ?? options.headers?.['if-none-match'] ?? null);
      const step = (steps.length > 1 ? steps.shift() : steps[0]) ?? taken;
      return { ...answer, status: step(options, stored) };
    },
    close: () => Promise.resolve(),
  };
  return { client, stored, conditions };
}

const textOf = ({ body = '' }: SolidRequest) => Buffer.from(body).toString();
const taken: Step = (options, stored) => {
  Object.assign(stored, { body: textOf(options), etag: '"2"' });
  return 205;
};
const lost: Step = () => {
  throw new ServerError('unreachable', 'It was lost.', { url });
};
const lostButStored: Step = (options, stored) => {
  taken(options, stored);
  return lost(options, stored);
};
const answering =
  (status: number): Step =>
  () =>
    status;
/** The client has sent it twice, and the first one was stored. */
const refusedAfterOurs: Step = (options, stored) => {
  taken(options, stored);
  return 412;
};
const refusedAfterOthers: Step = (_options, stored) => {
  Object.assign(stored, { body: 'of somebody else', etag: '"9"' });
  return 412;
};

type Server = Parameters<typeof serverWith>;

test.each<[string, Server, unknown, unknown[]]>([
  ['stands as it was read', ['old'], 'written', ['"1"']],
  ['does not exist yet', [null], 'written', ['*']],
  ['is refused', ['old', { writes: [answering(403)] }], { refused: expect.any(String) }, ['"1"']],
  ['was changed by another', ['old', { writes: [refusedAfterOthers] }], 'changed', ['"1"']],
  ['was made by another meanwhile', [null, { writes: [refusedAfterOthers] }], 'changed', ['*']],
  [
    'has ours already when the condition fails',
    ['old', { writes: [refusedAfterOurs] }],
    'written',
    ['"1"'],
  ],
  [
    'is the same under another ETag',
    ['old', { writes: [answering(412), taken] }],
    'written',
    ['"1"', null],
  ],
  [
    'is the same, and refused under any',
    ['old', { writes: [answering(412)] }],
    'changed',
    ['"1"', null],
  ],
  [
    'took the write whose answer was lost',
    ['old', { writes: [lostButStored] }],
    'written',
    ['"1"'],
  ],
  ['did not get the first write', ['old', { writes: [lost, taken] }], 'written', ['"1"', '"1"']],
  ['gets neither of two', ['old', { writes: [lost] }], { refused: 'It was lost.' }, ['"1"', '"1"']],
  [
    'was changed by another while an answer was lost',
    [
      'old',
      {
        writes: [
          (options, stored) => {
            refusedAfterOthers(options, stored);
            return lost(options, stored);
          },
        ],
      },
    ],
    'changed',
    ['"1"'],
  ],
  ['has an ETag that no condition can use', ['old', { etag: 'W/"1"' }], 'written', [null]],
  ['has no ETag', ['old', { etag: null }], 'written', [null]],
])('[1.3][1.4] a version is replaced that %s', async (_, [body, how], expected, conditions) => {
  const server = serverWith(body, how);
  const { version } = await readVersion(server.client, address);
  const before = { ...version, isKnown: true };
  expect(await replaceVersion(server.client, address, before, 'new')).toEqual(expected);
  expect(server.conditions).toEqual(conditions);
  if (expected === 'written') expect(server.stored.body).toBe('new');
});

test('an error that is none of the server’s ends the write, and nothing is sent again', async () => {
  const stopped: Step = () => {
    throw new Error('It was stopped.');
  };
  const server = serverWith('old', { writes: [stopped] });
  const { version } = await readVersion(server.client, address);
  const write = replaceVersion(server.client, address, { ...version, isKnown: true }, 'new');
  await expect(write).rejects.toThrow('It was stopped.');
  expect(server.conditions).toEqual(['"1"']);
});

test('[1.3] without an ETag it is looked first whether the version still stands', async () => {
  const server = serverWith('of somebody else', { etag: null });
  const before = { digest: bodyDigest('old'), etag: null, isKnown: true };
  expect(await replaceVersion(server.client, address, before, 'new')).toBe('changed');
  expect(server.conditions).toEqual([]);
});

test('[1.3] where there was none, the condition of the write is enough, and nothing is looked at', async () => {
  const { client, conditions } = serverWith(null);
  const writing: SolidClient = {
    ...client,
    request: (at, options) =>
      options?.method === 'PUT' ? client.request(at, options) : Promise.reject(new Error('asked')),
  };
  const none = { digest: null, etag: null, isKnown: true };
  expect(await replaceVersion(writing, address, none, 'new')).toBe('written');
  expect(conditions).toEqual(['*']);
});

test('[1.3] of content that is not known, only the ETag tells whether it still stands', async () => {
  const server = serverWith('<html>', { writes: [answering(412), taken] });
  const { version } = await readVersion(server.client, address);
  const before = { ...version, isKnown: false };
  expect(await replaceVersion(server.client, address, before, 'new')).toBe('changed');
  expect(server.conditions).toEqual(['"1"']);
});

test('no document is told apart from an empty one', async () => {
  const none = await readVersion(serverWith(null).client, address);
  expect(none).toEqual({ version: { digest: null, etag: null }, body: null });
  const { version, body } = await readVersion(serverWith('').client, address);
  expect([version.digest, body]).toEqual([bodyDigest(''), Buffer.alloc(0)]);
  await expect(
    readVersion(
      {
        request: () => Promise.resolve({ status: 500, url, headers: {}, body: Buffer.alloc(0) }),
        close: () => Promise.resolve(),
      },
      address,
    ),
  ).rejects.toThrow(url);
});
