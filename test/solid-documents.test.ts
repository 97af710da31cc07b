import { expect, test } from 'vitest';
import {
  createAccountPod,
  issueClientCredentials,
  listAccountPods,
  logInToAccount,
} from '../src/solid/css-account.js';
import { getTurtle, listContainer, patchDocument, putDocument } from '../src/solid/documents.js';
import type { Triple } from '../src/solid/turtle.js';
import { openClient } from './support/open-client.js';
import { createPod, sharedSolidServer, uniquePodName } from './support/solid-server.js';

const P = 'https://solidcommunity.au/predicates/data#path';

const { baseUrl } = sharedSolidServer();
const pod = await createPod({ baseUrl });
const client = openClient({ serverUrl: baseUrl, credentials: pod });

const statement = (subject: string, literal: string): Triple => ({
  subject,
  predicate: P,
  object: { literal },
});

test('a PATCH creates a document with its folders, replaces values and keeps the others', async () => {
  const url = `${pod.root}app/shared/shared-keys.ttl`;
  await patchDocument(client, url, { insert: [statement(`${url}#a`, '1'), statement(url, 'x')] });
  await patchDocument(client, url, {
    delete: [statement(`${url}#a`, '1'), statement(`${url}#a`, 'never there')],
    insert: [statement(`${url}#a`, '2')],
  });
  const document = await getTurtle(client, url);
  expect(document?.literals(`${url}#a`, P)).toEqual(['2']);
  expect(document?.literals(url, P)).toEqual(['x']);
});

test('[T36] literals that look like SPARQL reach the server as literals', async () => {
  const url = `${pod.root}hostile.ttl`;
  const values = [
    '" . } ; INSERT DATA { <#evil> <#evil> "evil',
    '\\u0022 . } ; INSERT DATA { <#evil> <#evil> \\u0022evil',
    '\\\\u0022 \\" \\',
    'line\r\n\ttab \b\f end',
    '<20260819T0915;http://x.example/a>',
    '😀 \u0301é',
  ];
  const triples = values.map((value) => statement(url, value));
  await patchDocument(client, url, { insert: triples });
  const document = await getTurtle(client, url);
  expect([...(document?.literals(url, P) ?? [])].sort()).toEqual([...values].sort());
  expect([...(document?.subjects() ?? [])]).toEqual([url]);
  await patchDocument(client, url, { delete: triples });
  expect((await getTurtle(client, url))?.literals(url, P)).toEqual([]);
});

test('[1.3] conditions keep a document from being created twice or overwritten', async () => {
  const url = `${pod.root}once.ttl`;
  await putDocument(client, url, '<a> <b> "1" .', { ifAbsent: true });
  const again = putDocument(client, url, '<a> <b> "2" .', { ifAbsent: true });
  await expect(again).rejects.toMatchObject({ failure: 'refused', details: { status: 412 } });
  const { etag } = (await client.request(url)).headers;
  await putDocument(client, url, '<a> <b> "3" .', { ifMatch: etag ?? '' });
  const late = putDocument(client, url, '<a> <b> "4" .', { ifMatch: etag ?? '' });
  await expect(late).rejects.toMatchObject({ details: { status: 412 } });
});

test('a folder lists its members under their absolute addresses', async () => {
  const folder = `${pod.root}folder/`;
  await putDocument(client, `${folder}b.ttl`, '');
  await putDocument(client, `${folder}a.txt`, 'x', { contentType: 'text/plain' });
  await putDocument(client, `${folder}inner/c.ttl`, '');
  expect(await listContainer(client, folder)).toEqual([
    `${folder}a.txt`,
    `${folder}b.ttl`,
    `${folder}inner/`,
  ]);
  expect(await listContainer(client, `${pod.root}none/`)).toBeUndefined();
  expect(await getTurtle(client, `${pod.root}none.ttl`)).toBeUndefined();
});

test('a document of someone else is refused with HTTP 403 and a hint', async () => {
  const other = await createPod(sharedSolidServer());
  const write = putDocument(client, `${other.root}x.ttl`, '');
  await expect(write).rejects.toMatchObject({ failure: 'refused', details: { status: 403 } });
  await expect(write).rejects.toThrow('the client credentials may belong to another one');
  await expect(getTurtle(client, `${other.root}profile/`)).rejects.toMatchObject({
    details: { status: 403 },
  });
});

test.each([
  ['text', 'just text', 'text/plain'],
  ['JSON-LD that nothing can turn into Turtle', '{"@context": 5', 'application/ld+json'],
])('a document of %s is malformed, and nobody waits for it', async (_, content, contentType) => {
  const url = `${pod.root}stored-${contentType.length}.txt`;
  await putDocument(client, url, content, { contentType });
  await expect(getTurtle(client, url)).rejects.toMatchObject({ kind: 'malformed' });
});

test('accounts issue credentials, and hold several Pods', async () => {
  const { baseUrl } = sharedSolidServer();
  const account = await logInToAccount(baseUrl, pod);
  const second = await createAccountPod(account, uniquePodName());
  expect((await listAccountPods(account)).sort()).toEqual([pod.root, second.root].sort());
  const issued = await issueClientCredentials(account, { name: 'new', webId: second.webId });
  await openClient({ serverUrl: baseUrl, credentials: issued }).login();
});

test('account refusals come in the words of the server', async () => {
  const { baseUrl } = sharedSolidServer();
  const wrong = logInToAccount(baseUrl, { email: pod.email, password: 'wrong' });
  await expect(wrong).rejects.toMatchObject({ failure: 'refused' });
  await expect(wrong).rejects.toThrow(/refused to log in to the account: HTTP 403: .*password/);
  const account = await logInToAccount(baseUrl, pod);
  const foreign = { name: 'x', webId: `${baseUrl}nobody/profile/card#me` };
  await expect(issueClientCredentials(account, foreign)).rejects.toThrow(
    /refused to issue client credentials: HTTP 4\d\d/,
  );
});

test('a server without the account interface is named as such', async () => {
  const nowhere = logInToAccount(pod.root, pod);
  await expect(nowhere).rejects.toThrow(
    'offers no account interface of the Community Solid Server',
  );
});
