import { setImmediate as letOthersWork } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { parseSealedEntries } from './shared-keys.js';

const url = 'https://pods.example/analyser/app/shared/shared-keys.ttl';
const PATH = 'P'.repeat(344);
const KEY = 'K'.repeat(344);
const DATA = 'https://solidcommunity.au/predicates/data#';
const RESOURCE = 'https://solidcommunity.au/predicates/resourceid#';

const entry = (id: string, path = PATH) =>
  `<${RESOURCE}${id}>\n    <${DATA}path> "${path}" ;\n    <${DATA}sharedKey> "${KEY}" .\n`;
const parse = (text: string) => parseSealedEntries(Buffer.from(text), url);
const read = { id: 'a1', sealedPaths: [PATH], sealedKeys: [KEY], sealedAccessLists: [] };

test.each([
  ['full names', entry('a1')],
  [
    'prefixes',
    `PREFIX d: <${DATA}>\n@prefix r: <${RESOURCE}>.\nr:a1 d:path "${PATH}"; d:sharedKey "${KEY}".`,
  ],
  ['a comment and other statements', `# "never <\n<> a <x:y> .\n${entry('a1')}_:b <y> ( 1 [] ) .`],
])('an entry with %s is read', async (_, text) => {
  expect(await parse(text)).toEqual({ entries: [read], useless: [] });
});

test.each([
  ['a page', '<!doctype html><html><body>Bad gateway</body></html>'],
  ['brackets without end', `${entry('a1')}${'('.repeat(200_000)}`],
  ['an address that is not closed', `${entry('a1')}<http://evil`],
  ['a prefix without an address', `@prefix evil: .\n${entry('a1')}`],
  ['half an entry', `${entry('a1')}<${RESOURCE}evil> <${DATA}path> \n`],
])('%s is an error that quotes nothing of it', async (_, text) => {
  const parsing = parse(text);
  await expect(parsing).rejects.toMatchObject({ kind: 'malformed' });
  await expect(parsing).rejects.toThrow(`${url} is not a Turtle document: `);
  await expect(parsing).rejects.not.toThrow('evil');
});

test('[2.1] objects that are no strings, and values of the wrong length, are named', async () => {
  const bad = `<s> <${DATA}path> <five>, "six" . <${RESOURCE}t> <${DATA}path> _:x .`;
  const { entries, useless } = await parse(bad + entry('long', 'P'.repeat(8193)) + entry('a1'));
  expect(entries).toEqual([{ ...read, id: 'long', sealedPaths: [] }, read]);
  expect(useless).toEqual(['https://pods.example/analyser/app/shared/s', 't']);
  const many = Array.from({ length: 1001 }, (_, n) => `<${RESOURCE}${n}> <${DATA}path> "x" .`);
  expect((await parse(many.join(''))).useless).toHaveLength(1000);
});

test('a large inbox is read whole, and others have their turn meanwhile', async () => {
  const text = Array.from({ length: 5_000 }, (_, index) => `# ä€😀\n${entry(`${index}`)}`).join('');
  let turns = 0;
  let isDone = false;
  const parsing = parse(text).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    turns += 1;
    await letOthersWork();
  }
  const { entries } = await parsing;
  expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 5_000 }, (_, n) => `${n}`));
  expect(entries.every(({ sealedPaths }) => sealedPaths[0] === PATH)).toBe(true);
  // One turn for each 64 KB of the text.
  expect(turns).toBeGreaterThanOrEqual(Math.floor(Buffer.byteLength(text) / 65_536));
});
