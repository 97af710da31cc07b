import { describe, expect, test } from 'vitest';
import { fileOf, rootOf } from '../../test/support/concluded.js';
import { publishers, publishingOf } from '../../test/support/publishing.js';
import { refuse } from '../../test/support/recording-client.js';
import { keyedDigest } from '../../test/support/table.js';
import { AnalyserError, ServerError } from '../base/errors.js';
import { configSchema } from '../config/schema.js';
import { emptyMemory, type Memory } from '../memory/memory.js';
import { readInboxAndMemory, withoutInbox } from './read-inbox-and-memory.js';
import { shareRules } from './table/classify-share.js';

const at = { url: 'https://pods.example/analyser/app/shared/shared-keys.ttl' };

test.each<[Error, boolean]>([
  [new ServerError('unavailable', 'It answered HTTP 500.', at), false],
  [new AnalyserError('malformed', 'It is no Turtle.'), false],
  [new ServerError('login', 'The login was refused.', at), true],
  [new TypeError('a bug'), true],
])('%s: whether it concerns more than the inbox, and ends the analysis: %s', (error, isMore) => {
  if (isMore) expect(() => withoutInbox(error)).toThrow(error);
  else expect(withoutInbox(error)).toMatchObject({ shares: [], unread: error.message });
});

describe('an analysis whose inbox', () => {
  const [root, url] = [rootOf('anna'), fileOf('anna')];
  const shares = new Map([[url, { url, ownKey: null, missingOn: [] }]]);
  const known: Memory = {
    ...emptyMemory(),
    pods: new Map([[root, { root, shares, folders: new Map(), sums: null }]]),
  };

  async function read(failure: 'too-large' | 'unavailable' | null, memory: Memory) {
    const { server, analyser } = await publishers();
    const { sharedKeys } = analyser.pod.documents;
    if (failure === null) server.put(sharedKeys, '<<<<');
    const client = refuse(
      analyser.client,
      (asked) => failure !== null && asked === sharedKeys,
      failure ?? undefined,
    );
    const config = configSchema.parse({
      analyser: { web_id: analyser.webId, server_url: 'https://pods.example/' },
    });
    const found = { memory, version: 1, isStored: true, text: null, keyedDigest };
    const replaces = { digest: null, etag: null };
    const { inbox } = await readInboxAndMemory(
      publishingOf(analyser, client).connection,
      shareRules(config, analyser.root),
      { read: () => Promise.resolve({ ...found, replaces, unopened: null, notices: [] }) },
      new AbortController().signal,
    );
    return inbox;
  }

  test.each([
    ['somebody has spoiled', null, emptyMemory()],
    ['somebody has filled beyond what is read', 'too-large', emptyMemory()],
    ['gives no answer, while there are shares that were read before', 'unavailable', known],
  ] as const)('%s goes on without it', async (_, failure, memory) => {
    expect(await read(failure, memory)).toMatchObject({
      shares: [],
      unread: expect.stringContaining('shared-keys.ttl'),
    });
  });

  test('gives no answer ends where nothing was ever read', async () => {
    await expect(read('unavailable', emptyMemory())).rejects.toMatchObject({
      failure: 'unavailable',
    });
  });
});
