import { beforeAll, describe, expect, test } from 'vitest';
import {
  all,
  ask,
  folderOf,
  insert,
  newAddress,
  only,
  type Parties,
  patch,
  put,
  remove,
  servers,
  setRules,
  statement,
  statusOf,
} from './parties.js';

const STORAGE = 'http://www.w3.org/ns/solid/terms#storageDescription';

describe.each(servers)('%s', (_, open) => {
  let parties: Parties;
  beforeAll(async () => {
    parties = await open();
  });

  test('is closed to others, also where nothing is', async () => {
    const { owner, other, nobody } = parties;
    const url = newAddress(parties);
    await ask(owner.client, url, put(''));
    for (const there of [url, newAddress(parties), `${url}.acl`, folderOf(url)]) {
      expect(await statusOf(other.client, there)).toBe(403);
      expect(await statusOf(nobody, there)).toBe(401);
    }
    expect(await statusOf(other.client, url, put(''))).toBe(403);
    expect(await statusOf(other.client, url, { method: 'DELETE' })).toBe(403);
    expect(await statusOf(other.client, `${url}.acl`, put(''))).toBe(403);
    expect(await statusOf(owner.client, `${url}.acl`)).toBe(404);
  });

  test('opens a document by its own list, which replaces that of the folder', async () => {
    const { owner, other, nobody } = parties;
    const url = newAddress(parties);
    const folder = folderOf(url);
    await ask(owner.client, url, put(''));
    expect(await setRules(parties, url, { who: only(other), modes: ['Read'] })).toBe(201);
    const seen = await ask(other.client, url);
    expect(seen.status).toBe(200);
    expect(seen.headers['wac-allow']).toBe('user="read"');
    expect(await statusOf(other.client, url, put(''))).toBe(403);
    expect(await statusOf(other.client, `${url}.acl`)).toBe(403);
    expect(await statusOf(nobody, url)).toBe(401);
    await setRules(parties, folder, { who: all, modes: ['Read'], isInherited: true });
    expect(await statusOf(nobody, url)).toBe(401);
    expect(await statusOf(nobody, `${folder}another`)).toBe(404);
    const listed = await ask(nobody, folder);
    expect(listed.status).toBe(200);
    expect(listed.headers['wac-allow']).toBe('user="read",public="read"');
    expect((await ask(owner.client, url)).headers['wac-allow']).toContain('write');
    // Only what its default names goes down.
    await setRules(parties, folder, { who: all, modes: ['Read'] });
    expect(await statusOf(nobody, `${folder}another`)).toBe(401);
  });

  test('an inbox: everybody may make it and change it', async () => {
    const { other, nobody } = parties;
    const folder = newAddress(parties, 'shared/');
    const modes = ['Read', 'Write'];
    await setRules(parties, folder, { who: all, modes, isInherited: true });
    const url = `${folder}keys.ttl`;
    expect(await statusOf(other.client, url, insert(statement(url, 'one')))).toBe(201);
    expect(await statusOf(nobody, url, insert(statement(url, 'two')))).toBe(205);
    expect(await statusOf(other.client, url, remove(statement(url, 'one')))).toBe(205);
    const { text } = await ask(nobody, url);
    expect(['"one"', '"two"'].map((value) => text.includes(value))).toEqual([false, true]);
    expect(await statusOf(nobody, url, put(''))).toBe(205);
    expect(await statusOf(nobody, `${folder}any/thing.ttl`, put(''))).toBe(201);
  });

  test('a log: everybody may add to it, and not read it nor take anything away', async () => {
    const { owner, other } = parties;
    const url = newAddress(parties, 'log.ttl');
    await ask(owner.client, url, put(''));
    await setRules(parties, url, { who: all, modes: ['Append'] });
    const line = statement(url, 'line');
    expect(await statusOf(other.client, url, insert(line))).toBe(205);
    expect(await statusOf(other.client, url, remove(line))).toBe(403);
    const any = `{ <${url}#a> <https://e.example/p> ?any }`;
    expect(await statusOf(other.client, url, patch(`DELETE ${any} WHERE ${any}`))).toBe(403);
    expect(await statusOf(other.client, url)).toBe(403);
    expect(await statusOf(other.client, url, put(''))).toBe(403);
    expect((await ask(owner.client, url)).text).toContain('"line"');
    const missing = newAddress(parties, 'log.ttl');
    expect(await statusOf(other.client, missing, insert(statement(missing, 'line')))).toBe(403);
  });

  test('the rules of a document go with it', async () => {
    const { owner, nobody } = parties;
    const url = newAddress(parties);
    await ask(owner.client, url, put(''));
    await setRules(parties, url, { who: all, modes: ['Read'] });
    await ask(owner.client, url, { method: 'DELETE' });
    expect(await statusOf(owner.client, `${url}.acl`)).toBe(404);
    await ask(owner.client, url, put(''));
    expect(await statusOf(nobody, url)).toBe(401);
  });

  test('names the list of rules and the storage of a document; everybody may read a profile', async () => {
    const { owner, nobody } = parties;
    const card = owner.webId.replace('#me', '');
    const { status, headers } = await ask(nobody, card, { method: 'HEAD' });
    expect(status).toBe(200);
    expect(headers['link']).toContain(`<${card}.acl>; rel="acl"`);
    expect(headers['link']).toContain(`<${owner.root}.well-known/solid>; rel="${STORAGE}"`);
    expect(headers['wac-allow']).toBe('user="read",public="read"');
  });
});
