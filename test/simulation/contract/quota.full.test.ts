import { expect, test } from 'vitest';
import { startConfiguredServer } from '../../support/configured-server.js';
import {
  ask,
  newAddress,
  type Parties,
  partiesAt,
  partiesInMemory,
  put,
  statusOf,
} from './parties.js';

const ROOM = 100_000;

test.each<[string, () => Promise<Parties>]>([
  ['the server in memory', () => Promise.resolve(partiesInMemory(ROOM))],
  [
    'the Community Solid Server',
    async () => partiesAt(await startConfiguredServer({ podQuotaBytes: ROOM })),
  ],
])('%s: a Pod takes no more than there is room for, and keeps what it has', async (_, open) => {
  const parties = await open();
  const { client } = parties.owner;
  const [first, second] = [newAddress(parties), newAddress(parties)];
  expect(await statusOf(client, first, put(`# ${'x'.repeat(ROOM / 2)}`))).toBe(201);
  const small = '<#a> <#b> "c" .';
  expect(await statusOf(client, second, put(small))).toBe(201);
  expect(await statusOf(client, second, put(`# ${'x'.repeat(ROOM / 2)}`))).toBe(413);
  expect((await ask(client, second)).text).toBe(small);
  expect(await statusOf(client, first, put(''))).toBe(205);
  expect(await statusOf(client, second, put(`# ${'x'.repeat(ROOM / 2)}`))).toBe(205);
});
