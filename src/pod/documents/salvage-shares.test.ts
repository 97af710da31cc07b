import { expect, test } from 'vitest';
import { vocabulary as v } from '../vocabulary.js';
import { salvageShares } from './salvage-shares.js';
import { scanShares, scanStatements } from './scan-shared-keys.js';

const PATH = 'P'.repeat(344);
const KEY = 'K'.repeat(344);
const DATA = 'https://solidcommunity.au/predicates/data#';
const RESOURCE = 'https://solidcommunity.au/predicates/resourceid#';

const full = `<${RESOURCE}a1>\n    <${DATA}path> "${PATH}" ;\n    <${DATA}sharedKey> "${KEY}" .\n`;
const prefixed =
  `@prefix data: <${DATA}>.\n@prefix resourceId: <${RESOURCE}>.\n` +
  `resourceId:a1 data:path "${PATH}"; data:sharedKey "${KEY}".\n`;
const wanted = [{ id: 'a1', paths: [PATH], keys: [KEY], accessLists: [] }];

const bombs = {
  'brackets without end': '('.repeat(200_000),
  'nested blank nodes': '<a> <b> [<c> '.repeat(120_000),
  'an address that is not closed': '<http://evil',
  'a text that is not closed': '<a> <b> "never',
  'a long text that is not closed': '<a> <b> """never\n',
  'a prefix nobody defined': 'x:y z:q w:e .',
  'a prefix without an address': '@prefix a: .',
  'an end that never comes': '@prefix',
  'binary junk': '\u0000\u0001\ufffd{{{}}}\u0007\n',
  'half an entry': `<${RESOURCE}b2> <${DATA}path> \n`,
};

test.each(Object.entries(bombs))('%s, before or behind, takes no entry away', (_, bomb) => {
  for (const entry of [full, prefixed]) {
    for (const inbox of [`${bomb}\n${entry}`, `${entry}${bomb}\n`, `${bomb}\n${entry}${bomb}`]) {
      const { shares, damage } = scanShares(inbox, 'https://pods.example/x');
      expect(shares).toEqual(wanted);
      expect(damage).toMatch(/https:\/\/pods\.example\/x cannot be used: it/);
      expect(damage).not.toContain('evil');
    }
  }
});

test('what is no inbox at all is an error, not an inbox without shares', () => {
  const page = '<!doctype html><html><body>Bad gateway</body></html>';
  expect(() => scanShares(page, 'https://pods.example/x')).toThrow('it is not a Turtle document');
});

test('several values, other objects and foreign predicates are told apart', () => {
  const text =
    `<s> <${DATA}path> "one", "two" ; <${DATA}accessList> "three"; <other> "four" . ` +
    `<t> <${DATA}path> <five>, "six" .`;
  expect([...salvageShares(text)].map((one) => [one.subject, one.predicate, one.object])).toEqual([
    ['s', v.sharedPath, { literal: 'one' }],
    ['s', v.sharedPath, { literal: 'two' }],
    ['s', v.sharedAccess, { literal: 'three' }],
  ]);
});

test.each([
  ['letters', 'a'],
  ['opening brackets', '<'],
  ['quotation marks', '"'],
  ['quotes that end in nothing', '"x\\'],
  ['prefixes', '@prefix'],
  ['prefixes with room', '@prefix     '],
  ['colons', 'a:'],
])('five million characters of %s take no more than a moment', (_, piece) => {
  const text = piece.repeat(5_000_000 / piece.length);
  const started = performance.now();
  expect([...salvageShares(text)]).toEqual([]);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('what a change cannot spell is asked to be removed as a whole', () => {
  const text = `<s> <p> "plain", "german"@de, 5, _:blank, [], <x:link> .`;
  const objects = scanStatements(text, 'https://pods.example/x', ['https://pods.example/s']).map(
    ({ object }) => object,
  );
  expect(objects).toEqual([
    { literal: 'plain' },
    { any: true },
    { any: true },
    { any: true },
    { any: true },
    { link: 'x:link' },
  ]);
});
