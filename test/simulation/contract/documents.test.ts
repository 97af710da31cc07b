import { beforeAll, describe, expect, test } from 'vitest';
import { statementsIn, valuesOf } from '../server/statements.js';
import {
  all,
  ask,
  folderOf,
  insert,
  newAddress,
  type Parties,
  PREDICATE,
  patch,
  put,
  remove,
  servers,
  setRules,
  statement,
  statusOf,
} from './parties.js';

describe.each(servers)('%s', (_, open) => {
  let parties: Parties;
  beforeAll(async () => {
    parties = await open();
  });
  const own = (...[url, request]: [string, Parameters<typeof ask>[2]?]) =>
    ask(parties.owner.client, url, request);
  const status = async (...what: Parameters<typeof own>) => (await own(...what)).status;

  test('keeps a document as it was put, and makes its folders', async () => {
    const url = newAddress(parties);
    expect(await status(url)).toBe(404);
    expect(await status(url, put('<#a> <#b> "c" .'))).toBe(201);
    const found = await own(url);
    expect(found).toMatchObject({ status: 200, text: '<#a> <#b> "c" .' });
    expect(found.headers['content-type']).toBe('text/turtle');
    expect(found.headers['etag']).toMatch(/^"/);
    expect(await status(url, put(''))).toBe(205);
    expect(await own(url)).toMatchObject({ status: 200, text: '' });
    expect(await status(url, { method: 'DELETE' })).toBe(205);
    expect(await status(url)).toBe(404);
    expect(await status(url, { method: 'DELETE' })).toBe(404);
  });

  test('gives a text that is not what it says as it is', async () => {
    for (const [type, text] of [
      ['application/ld+json', '{"@id":'],
      ['text/plain', 'secret'],
    ] as const) {
      const url = newAddress(parties, 'doc');
      expect(await status(url, put(text, { 'content-type': type }))).toBe(201);
      expect(await own(url)).toMatchObject({ status: 200, text });
    }
  });

  test('holds conditions', async () => {
    const url = newAddress(parties);
    expect(await status(newAddress(parties), put('', { 'if-match': '"x"' }))).toBe(201);
    expect(await status(url, put('', { 'if-none-match': '*' }))).toBe(201);
    expect(await status(url, put('', { 'if-none-match': '*' }))).toBe(412);
    const { etag = '' } = (await own(url)).headers;
    expect(await status(url, put('', { 'if-match': '"x"' }))).toBe(412);
    expect(await status(url, put('', { 'if-match': etag }))).toBe(205);
  });

  test('the ETag of a version is its time in milliseconds and its type', async () => {
    const url = newAddress(parties);
    const before = Date.now();
    await own(url, put(''));
    const { etag = '' } = (await own(url)).headers;
    const [, time, type] = /^"(\d+)-(.+)"$/.exec(etag) ?? [];
    expect(type).toBe('text/turtle');
    // The clock of a file system can be some milliseconds behind.
    expect(Number(time)).toBeGreaterThan(before - 1_000);
    expect(Number(time)).toBeLessThan(Date.now() + 1_000);
  });

  test('of too long a name nobody may read anything, its owner neither', async () => {
    const folder = folderOf(newAddress(parties));
    await own(`${folder}doc.ttl`, put(''));
    const named = (length: number) => `${folder}${'x'.repeat(length - 4)}.ttl`;
    expect(await status(named(250), put(''))).toBe(201);
    expect(await status(named(252))).toBe(403);
    expect(await status(named(252), put(''))).toBe(403);
    expect(await statusOf(parties.nobody, named(252))).toBe(401);
    expect(await status(named(256))).toBe(403);
    await expect(own(named(256), put(''))).rejects.toThrow('500');
  });

  test('lists what lies in a folder, without lists of rules', async () => {
    const url = newAddress(parties, 'b.enc.ttl');
    const folder = folderOf(url);
    await own(url, put(''));
    await own(`${folder}inner/c.ttl`, put(''));
    await setRules(parties, url, { who: all, modes: ['Read'] });
    const listing = statementsIn((await own(folder)).text, folder);
    const members = valuesOf(listing, folder, 'http://www.w3.org/ns/ldp#contains');
    expect([...members].sort()).toEqual([url, `${folder}inner/`]);
    expect(await status(folder, { method: 'DELETE' })).toBe(409);
    expect(await status(newAddress(parties, ''))).toBe(404);
  });

  test('a folder stays when nothing is left in it', async () => {
    const url = newAddress(parties);
    await own(url, put(''));
    await own(url, { method: 'DELETE' });
    expect(await status(folderOf(url))).toBe(200);
    expect(await status(folderOf(url), { method: 'DELETE' })).toBe(205);
    expect(await status(folderOf(url))).toBe(404);
  });

  test('writes a changed document anew: the same statements, relative to it', async () => {
    const url = newAddress(parties);
    const before = '@prefix e: <https://e.example/>.\n<#a> e:p "one", [ e:q 1 ]; e:r <other>.\n';
    await own(url, put(before));
    expect(await status(url, insert(statement(url, 'two')))).toBe(205);
    const { text } = await own(url);
    expect(text).toContain('<#a>');
    expect(text).not.toContain(`<${url}#a>`);
    const document = statementsIn(text, url);
    const other = valuesOf(document, `${url}#a`, 'https://e.example/r');
    expect(other).toEqual([`${folderOf(url)}other`]);
    const values = valuesOf(document, `${url}#a`, PREDICATE).sort();
    const [blank, ...texts] = values.toSorted((one) => (one.startsWith('_:') ? -1 : 1));
    expect(texts).toEqual(['one', 'two']);
    expect(document.filter(({ subject }) => subject === blank)).toMatchObject([
      { object: { literal: '1', type: 'http://www.w3.org/2001/XMLSchema#integer' } },
    ]);
  });

  test('removes what is there, and does not mind what is not', async () => {
    const url = newAddress(parties);
    await own(url, insert(statement(url, 'one'), statement(url, 'two } . {')));
    const missing = remove(statement(url, 'one'), statement(url, 'none'));
    const both = patch(
      `${String(missing.body)} ;\n${String(insert(statement(url, 'three')).body)}`,
    );
    expect(await status(url, both)).toBe(205);
    const values = valuesOf(statementsIn((await own(url)).text, url), `${url}#a`, PREDICATE);
    expect([...values].sort()).toEqual(['three', 'two } . {']);
    const any = `{ <${url}#a> <${PREDICATE}> ?any }`;
    expect(await status(url, patch(`DELETE ${any} WHERE ${any}`))).toBe(205);
    expect(await own(url)).toMatchObject({ status: 200, text: '' });
  });

  test('a document that is broken cannot be changed', async () => {
    const url = newAddress(parties);
    await own(url, put('<#a> <#b'));
    expect(await status(url, insert(statement(url, 'one')))).toBe(400);
    expect(await own(url)).toMatchObject({ status: 200, text: '<#a> <#b' });
    expect(await status(newAddress(parties), patch('nonsense'))).toBe(400);
  });

  test('changes of several at once are all kept', async () => {
    const url = newAddress(parties);
    const texts = Array.from({ length: 8 }, (_unused, index) => `text ${index}`);
    await own(url, put(''));
    await Promise.all(texts.map((text) => own(url, insert(statement(url, text)))));
    const values = valuesOf(statementsIn((await own(url)).text, url), `${url}#a`, PREDICATE);
    expect([...values].sort()).toEqual(texts);
  });

  test('takes an address in either spelling for the same', async () => {
    const url = newAddress(parties, 'a:b.ttl');
    const other = url.replace('a:b', 'a%3Ab');
    await own(url, put('<#a> <#b> "c" .'));
    expect(await status(other)).toBe(200);
    await setRules(parties, other, { who: all, modes: ['Read'] });
    expect(await statusOf(parties.nobody, url)).toBe(200);
  });
});
