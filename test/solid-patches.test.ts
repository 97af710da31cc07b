import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { getTurtle } from '../src/solid/documents/get-turtle.js';
import { patchDocument } from '../src/solid/documents/patch-document.js';
import type { Triple } from '../src/solid/documents/sparql-update.js';
import { putDocument } from '../src/solid/documents/write-document.js';
import { createSolidClient } from '../src/solid/http-solid-client.js';
import type { HttpSolidClient } from '../src/solid/solid-client.js';
import {
  type ProxiedRequest,
  type ProxiedServer,
  startProxiedServer,
} from './support/fault-proxy.js';
import { createPod, type TestPod, uniquePodName } from './support/solid-server.js';

const P = 'https://solidcommunity.au/predicates/data#path';
const SPARQL = 'application/sparql-update';
const N3 = 'text/n3';

let server: ProxiedServer;
let pod: TestPod;
let client: HttpSolidClient;
beforeAll(async () => {
  server = await startProxiedServer();
  pod = await createPod({ baseUrl: server.baseUrl });
});
afterAll(() => server.stop());
afterEach(async () => {
  server.proxy.heal();
  await client.close();
});

/** A login that knows nothing yet. */
function connect(credentials: TestPod | null = pod): HttpSolidClient {
  client = createSolidClient({ serverUrl: server.baseUrl, credentials });
  return client;
}

const isPatch =
  (...types: string[]) =>
  ({ method, headers }: ProxiedRequest) =>
    method === 'PATCH' && types.includes(headers['content-type'] ?? '');

function refuse(status: number, ...types: string[]): void {
  server.proxy.inject({ when: isPatch(...types), fault: { kind: 'answer', status } });
}

const statement = (subject: string, literal: string): Triple => ({
  subject,
  predicate: P,
  object: { literal },
});

/** What was sent to change the document, in order. */
function ways(url: string): string[] {
  return server.proxy.requests
    .filter((request) => request.url === url && /^(PUT|PATCH)$/.test(request.method))
    .map(({ method, headers }) => (method === 'PUT' ? 'PUT' : (headers['content-type'] ?? '')));
}

let count = 0;
const newUrl = () => `${pod.root}app/patches/${(count += 1)}/document.ttl`;

/** Everything that a PATCH of ours does, on a document that has to be made first. */
async function change(url: string): Promise<void> {
  const odd = '<#odd> <https://p.example/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer>, [] .';
  await patchDocument(client, url, {
    insert: [statement(`${url}#a`, '1'), statement(url, 'x "y"')],
  });
  const before = (await client.request(url)).body.toString();
  await putDocument(client, url, `${before}\n${odd}`);
  await patchDocument(client, url, {
    delete: [statement(`${url}#a`, '1'), statement(`${url}#a`, 'never there')],
    insert: [statement(`${url}#a`, '2')],
  });
  const any: Triple = {
    subject: `${url}#odd`,
    predicate: 'https://q.example/q',
    object: { any: true },
  };
  await patchDocument(client, url, { delete: [any], insert: [statement(url, 'z')] });
  const document = await getTurtle(client, url);
  expect(document?.literals(`${url}#a`, P)).toEqual(['2']);
  expect([...(document?.literals(url, P) ?? [])].sort()).toEqual(['x "y"', 'z']);
  // What we know nothing of is kept as it was.
  expect(document?.literals(`${url}#odd`, 'https://p.example/p')).toEqual(['1']);
  expect(document?.links(`${url}#odd`, 'https://p.example/p')).toHaveLength(1);
}

test('where both kinds are taken, SPARQL is used, which minds nothing that is gone', async () => {
  connect();
  const url = newUrl();
  await change(url);
  expect(new Set(ways(url))).toEqual(new Set([SPARQL, 'PUT']));
});

test.each([405, 415, 501])(
  'a server that answers %i to SPARQL is sent N3 Patch, and what that cannot say is written anew',
  async (status) => {
    connect();
    refuse(status, SPARQL);
    const url = newUrl();
    await change(url);
    // Made; our own PUT of the test; a conflict, since something is not there; a pattern.
    expect(ways(url)).toEqual([SPARQL, N3, 'PUT', N3, SPARQL, 'PUT', SPARQL, 'PUT']);
    const next = newUrl();
    await patchDocument(client, next, { insert: [statement(next, '1')] });
    await patchDocument(client, next, {
      delete: [statement(next, '1')],
      insert: [statement(next, '2')],
    });
    expect(ways(next)).toEqual([N3, N3]);
    expect((await getTurtle(client, next))?.literals(next, P)).toEqual(['2']);
  },
);

test('a server that names N3 Patch alone is sent nothing else', async () => {
  connect();
  server.proxy.inject({
    when: ({ method }) => method === 'GET',
    fault: { kind: 'headers', values: { 'accept-patch': 'text/n3' } },
  });
  await client.request(pod.root);
  const url = newUrl();
  await patchDocument(client, url, { insert: [statement(url, '1')] });
  expect(ways(url)).toEqual([N3]);
});

describe('a server that takes no PATCH', () => {
  test('gets the whole document, which is written over nobody’s change', async () => {
    connect();
    refuse(405, SPARQL, N3);
    const url = newUrl();
    await change(url);
    expect(ways(url).slice(0, 3)).toEqual([SPARQL, N3, 'PUT']);
    expect(ways(url).slice(3)).not.toContain(N3);
    const many = Array.from({ length: 4 }, (_, index) => `${index}`);
    await Promise.all(
      many.map((value) =>
        patchDocument(client, url, { insert: [statement(`${url}#many`, value)] }),
      ),
    );
    const document = await getTurtle(client, url);
    expect([...(document?.literals(`${url}#many`, P) ?? [])].sort()).toEqual(many);
  });

  test('is not sent what one may only add to, and the words say so', async () => {
    connect();
    const log = `${pod.root}app/logs/${uniquePodName()}.ttl`;
    await putDocument(client, log, `<> <${P}> "first" .`);
    await openForAdding(log);
    await client.close();
    connect(null);
    refuse(415, SPARQL);
    await patchDocument(client, log, { insert: [statement(`${log}#1`, 'by N3')] });
    refuse(415, N3);
    await expect(
      patchDocument(client, log, { insert: [statement(`${log}#2`, 'never')] }),
    ).rejects.toThrow(/takes neither kind of PATCH .* that one may only add to/);
    await client.close();
    connect();
    server.proxy.heal();
    expect((await getTurtle(client, log))?.literals(`${log}#1`, P)).toEqual(['by N3']);
  });
});

/** Everybody may add to it, and only its owner may do more, as to a permission log. */
async function openForAdding(url: string): Promise<void> {
  await putDocument(
    client,
    `${url}.acl`,
    `@prefix acl: <http://www.w3.org/ns/auth/acl#> .
     <#owner> a acl:Authorization ; acl:agent <${pod.webId}> ; acl:accessTo <${url}> ;
       acl:mode acl:Read, acl:Write, acl:Control .
     <#public> a acl:Authorization ; acl:agentClass <http://xmlns.com/foaf/0.1/Agent> ;
       acl:accessTo <${url}> ; acl:mode acl:Append .`,
  );
}

test('a server that wants a condition gets one, also for a log that cannot be read', async () => {
  connect();
  const log = `${pod.root}app/logs/${uniquePodName()}.ttl`;
  await putDocument(client, log, `<> <${P}> "first" .`);
  await openForAdding(log);
  server.proxy.inject({
    when: ({ method, headers }) =>
      /^(PUT|PATCH)$/.test(method) &&
      headers['if-match'] === undefined &&
      headers['if-none-match'] === undefined,
    fault: { kind: 'answer', status: 428 },
  });
  const url = newUrl();
  await change(url);
  await client.close();
  connect(null);
  await patchDocument(client, log, { insert: [statement(`${log}#1`, 'added')] });
  await client.close();
  connect();
  expect((await getTurtle(client, log))?.literals(`${log}#1`, P)).toEqual(['added']);
});
