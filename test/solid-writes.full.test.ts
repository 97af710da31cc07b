import { afterEach, describe, expect, test } from 'vitest';
import { patchDocument, putDocument } from '../src/solid/documents.js';
import type { Triple } from '../src/solid/turtle.js';
import { type Fault, startProxiedServer } from './support/fault-proxy.js';
import { openClient } from './support/open-client.js';
import { createPod } from './support/solid-server.js';

const P = 'https://solidcommunity.au/predicates/data#path';

const server = await startProxiedServer();
const pod = await createPod({ baseUrl: server.baseUrl });
const client = openClient({
  serverUrl: server.baseUrl,
  credentials: pod,
  timeouts: { answerMs: 1_500 },
  policy: { firstPauseMs: 5 },
});
afterEach(() => server.proxy.heal());

const statement = (subject: string, literal: string): Triple => ({
  subject,
  predicate: P,
  object: { literal },
});

let count = 0;
const newUrl = () => `${pod.root}app/writes/${(count += 1)}/document.ttl`;
const methodsTo = (url: string) =>
  server.proxy.requests.flatMap((request) => (request.url === url ? [request.method] : []));

test.each([405, 415, 501])(
  'a server that answers %i to SPARQL is named as such',
  async (status) => {
    const url = newUrl();
    server.proxy.inject({
      when: ({ method }) => method === 'PATCH',
      fault: { kind: 'answer', status },
    });
    const change = patchDocument(client, url, { insert: [statement(url, '1')] });
    await expect(change).rejects.toMatchObject({ failure: 'refused', details: { status } });
    await expect(change).rejects.toThrow(`${url} could not be changed: its server does not take`);
    expect(methodsTo(url)).toEqual(['PATCH']);
  },
);

describe('a PUT without an answer', () => {
  const silence = (url: string, fault: Fault) =>
    server.proxy.inject({
      when: (request) => request.url === url && request.method === 'PUT',
      fault,
    });

  test('[1.4] has worked if the document stands there', async () => {
    const url = newUrl();
    silence(url, { kind: 'delay', ms: 5_000 });
    await putDocument(client, url, '<a> <b> "c" .');
    expect(methodsTo(url).at(-1)).toBe('GET');
  });

  test('[1.4] also one with a condition, which is not sent twice', async () => {
    const url = newUrl();
    silence(url, { kind: 'reset-after' });
    await putDocument(client, url, '<a> <b> "c" .', { ifAbsent: true });
    expect(methodsTo(url)).toEqual(['PUT', 'GET']);
  });

  test.each<[string, string | null]>([
    ['nothing', null],
    // As long as what was to be written.
    ['something else', '<a> <b> "d" .'],
  ])('[1.4] has failed if %s stands there', async (_, before) => {
    const url = newUrl();
    if (before !== null) await putDocument(client, url, before);
    silence(url, { kind: 'hang' });
    await expect(putDocument(client, url, '<a> <b> "c" .')).rejects.toMatchObject({
      failure: 'slow',
    });
    const found = await client.request(url);
    expect(found.status === 200 ? found.body.toString() : null).toBe(before);
  });
});
