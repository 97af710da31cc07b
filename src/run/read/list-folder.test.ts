import { expect, test } from 'vitest';
import { ServerError, type ServerFailure } from '../../base/errors.js';
import type { SolidAnswer } from '../../solid/solid-client.js';
import { limits } from '../limits.js';
import { PodAsker } from './ask-pod.js';
import { Deadline } from './deadline.js';
import { listFolder } from './list-folder.js';

const root = 'https://pods.example/anna/';
const url = `${root}app/data/`;
const deadline = new Deadline(Number.POSITIVE_INFINITY, new AbortController().signal);

const members = ['b.enc.ttl', 'a%7Eb.enc.ttl', 'sub/', 'a.enc.ttl', 'bad%2Fname.enc.ttl'];
const listing = `<> <http://www.w3.org/ns/ldp#contains> ${members.map((name) => `<${name}>`).join()}.`;

/** Asks for the folder, which a server answers so. `known`: whether it was asked for in an earlier analysis. */
async function list(
  reply: () => Partial<SolidAnswer>,
  { asker = new PodAsker(), known = false }: { asker?: PodAsker; known?: boolean } = {},
) {
  const client = {
    request: async (asked: string) => {
      const answer = { status: 200, headers: {}, body: Buffer.from(listing), url: asked };
      return await Promise.resolve().then(() => ({ ...answer, ...reply() }));
    },
    close: () => Promise.resolve(),
  };
  const folder = { url, known: known ? { key: null } : null };
  return await listFolder({ client, asker, root }, folder, { deadline });
}

const allowing = (header: string | undefined) => () => ({
  headers: header === undefined ? {} : { 'wac-allow': header },
});
const files = ['a.enc.ttl', 'a~b.enc.ttl', 'b.enc.ttl'].map((name) => `${url}${name}`);

test.each([
  ['some may read', 'user="read",public=""', { kind: 'listed' }, 'some'],
  ['everybody may read', 'user="read",public="read"', { kind: 'listed' }, 'everybody'],
  ['of a server that does not say who may read it', undefined, { kind: 'listed' }, 'unknown'],
  ['the Analyser may write to', 'user="read write",public=""', { because: 'writable' }, 'some'],
  ['everybody may add to', 'user="read",public="append"', { because: 'writable' }, 'some'],
])('[T10] a folder that is given: %s', async (_, header, outcome, openTo) => {
  const found = await list(allowing(header));
  expect(found).toMatchObject({ outcome, openTo });
  // Those in it and no folders, each as the table spells it, whatever the folder is worth.
  expect(found.files.toSorted()).toEqual(files);
});

test.each([
  [403, 'refused', 'HTTP 403'],
  [404, 'refused', 'HTTP 404'],
  [410, 'refused', 'it is not there'],
  [401, 'other answer', 'login'],
  [418, 'other answer', 'HTTP 418'],
])('a folder that is answered with HTTP %i has no files', async (status, because, reason) => {
  const { outcome, ...found } = await list(() => ({ status, ...allowing('public="read"')() }));
  expect(outcome).toMatchObject({ because, reason: expect.stringContaining(reason) });
  // Who may read a folder is told by its listing alone.
  expect(found).toEqual({ openTo: 'unknown', files: [] });
});

const failed = (failure: ServerFailure, status?: number) =>
  new ServerError(failure, 'No.', { url, ...(status !== undefined && { status }) });

test.each([
  ['gets no answer', failed('slow'), 'silence'],
  ['the server has no time for', failed('unavailable', 503), 'silence'],
  ['gets an answer without a status', failed('refused'), 'unreadable'],
])('a folder that %s could not be listed', async (_, error, because) => {
  const asking = list(() => {
    throw error;
  });
  expect(await asking).toMatchObject({ outcome: { because }, openTo: 'unknown', files: [] });
});

test('a folder whose listing is no Turtle could not be listed, and is open to whom its server says', async () => {
  const found = await list(() => ({
    ...allowing('user="read",public="read"')(),
    body: Buffer.from('<html>'),
  }));
  const outcome = { because: 'unreadable' };
  expect(found).toMatchObject({ outcome, openTo: 'everybody', files: [] });
});

test('a refused login ends the analysis', async () => {
  const error = failed('login');
  const asking = list(() => {
    throw error;
  });
  await expect(asking).rejects.toBe(error);
});

test.each([
  ['that was asked for before', true, 'silence'],
  ['that somebody has just named', false, 'listed'],
])(
  '[4.11] the silence of a folder %s counts against its Pod, or not',
  async (_, known, expected) => {
    const asker = new PodAsker();
    const silent = () => {
      throw failed('slow');
    };
    for (let count = 0; count < limits.silences; count += 1) await list(silent, { asker, known });
    const { outcome } = await list(allowing(undefined), { asker, known: true });
    expect(outcome.kind === 'listed' ? 'listed' : outcome.because).toBe(expected);
  },
);
