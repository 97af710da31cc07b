import { beforeEach, describe, expect, test } from 'vitest';
import { publishers } from '../../../test/support/publishing.js';
import { recordRequests } from '../../../test/support/recording-client.js';
import { readTurtle } from '../../solid/turtle.js';
import { vocabulary as v } from '../formats/vocabulary.js';
import {
  addToLog,
  buildEmptyLog,
  isLineAbout,
  LINES_AT_ONCE,
  logForBoth,
  logLine,
  logStatements,
  removeFromLog,
} from './permissions-log.js';

let world: Awaited<ReturnType<typeof publishers<'alice' | 'bob'>>>;
beforeEach(async () => {
  world = await publishers('alice', 'bob');
});

const time = new Date('2026-11-01T10:00:00.000Z');
const webIdOf = (name: string) => `https://pods.example/${name}/profile/card#me`;
const changeFor = (name: string, urls: readonly string[]) => ({
  ownerWebId: webIdOf('analyser'),
  recipientWebId: webIdOf(name),
  urls,
  action: 'grant' as const,
  time,
});
const linesOf = (log: string) =>
  world.server
    .triplesOf(log)
    .flatMap(({ predicate, object }) =>
      predicate === v.log && 'literal' in object ? [object.literal] : [],
    )
    .sort();
const logOf = (name: 'alice' | 'bob') => world.person(name).pod.documents.permissionsLog;

test('a grant stands in the log of the owner and in that of the recipient', async () => {
  const [alice, bob] = [world.person('alice').pod, world.person('bob').pod];
  const what = { urls: ['https://x.example/1', 'https://x.example/2'], action: 'grant' as const };
  await logForBoth(world.person('alice').client, alice, bob, { ...what, time });
  const change = { ...what, time, ownerWebId: alice.webId, recipientWebId: bob.webId };
  const lines = what.urls.map((url) => logLine(url, change));
  expect(linesOf(logOf('alice'))).toEqual(lines);
  expect(linesOf(logOf('bob'))).toEqual(lines);
});

describe('[8.3] the lines of one Pod', () => {
  const own = () => world.analyser.pod;
  const remove = async (client = world.analyser.client) =>
    await removeFromLog(client, own(), isLineAbout('https://pods.example/alice/'));

  test('go, in whatever order they name it, and those of others stay', async () => {
    const { client } = world.analyser;
    const [ofBob, ofAlice] = [changeFor('bob', ['b']), changeFor('alice', ['a', 'b'])];
    const given = { ...ofAlice, ownerWebId: webIdOf('alice'), recipientWebId: own().webId };
    const before = linesOf(own().documents.permissionsLog);
    for (const change of [ofBob, ofAlice, given]) {
      await addToLog(client, own(), logStatements(change));
    }
    expect(await remove()).toBe(4);
    const left = [...before, logLine('b', ofBob)].sort();
    expect(linesOf(own().documents.permissionsLog)).toEqual(left);
    expect(await remove()).toBe(0);
  });

  test('are so many at a time that the server is not kept busy', async () => {
    const urls = Array.from({ length: LINES_AT_ONCE + 1 }, (_, index) => `u${index}`);
    await addToLog(world.analyser.client, own(), logStatements(changeFor('alice', urls)));
    const client = recordRequests(world.analyser.client);
    expect(await removeFromLog(client, own(), isLineAbout('https://pods.example/alice/'))).toBe(
      LINES_AT_ONCE + 1,
    );
    expect(client.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'PATCH']);
  });

  test('are none where there is no log', async () => {
    await world.analyser.client.request(own().documents.permissionsLog, { method: 'DELETE' });
    expect(await remove()).toBe(0);
  });

  test.each([
    ['is about its owner', webIdOf('alice'), true],
    ['is about another one', webIdOf('alice2'), false],
    ['only names a file of theirs', 'https://pods.example/alice/app/x', false],
  ])('a line that %s: %s, %s', (_, party, isMeant) => {
    const isAbout = isLineAbout('https://pods.example/alice/');
    expect(isAbout(`<20261101T100000;u;${webIdOf('analyser')};grant;x;${party};read>`)).toBe(
      isMeant,
    );
  });
});

test('an empty log says what it is', async () => {
  const url = 'https://pods.example/alice/app/logs/permissions-log.ttl';
  const log = await readTurtle(buildEmptyLog(url), url);
  expect(log.links(url, v.type)).toEqual([v.personalProfileDocument]);
  expect(log.literals(url, v.title)).toEqual(['Permissions Log']);
});
