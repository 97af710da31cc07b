import { Parser } from 'n3';
import { expect, test } from 'vitest';
import { readSealedEntries } from './sealed-entries.js';
import { statementsAbout } from './shared-keys-document.js';

const PATH = 'P'.repeat(344);
const KEY = 'K'.repeat(344);
const DATA = 'https://solidcommunity.au/predicates/data#';
const RESOURCE = 'https://solidcommunity.au/predicates/resourceid#';

const full = `<${RESOURCE}a1>\n    <${DATA}path> "${PATH}" ;\n    <${DATA}sharedKey> "${KEY}" .\n`;
const prefixed =
  `@prefix data: <${DATA}>.\n@prefix resourceId: <${RESOURCE}>.\n` +
  `resourceId:a1 data:path "${PATH}"; data:sharedKey "${KEY}".\n`;
const wanted = [{ id: 'a1', sealedPaths: [PATH], sealedKeys: [KEY], sealedAccessLists: [] }];

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
      const { entries, damage } = readSealedEntries(inbox, 'https://pods.example/x');
      expect(entries).toEqual(wanted);
      expect(damage).toMatch(/https:\/\/pods\.example\/x is not a Turtle document: /);
      expect(damage).not.toContain('evil');
    }
  }
});

test('what is no inbox at all is an error, not an inbox without entries', () => {
  const page = '<!doctype html><html><body>Bad gateway</body></html>';
  expect(() => readSealedEntries(page, 'https://pods.example/x')).toThrow(
    'is not a Turtle document',
  );
});

const url = 'https://pods.example/analyser/app/shared/shared-keys.ttl';
const long = (letter: string) => letter.repeat(344);

/** As the full parser sees it: what each subject has in the three predicates. */
function parsed(text: string): unknown {
  const entries = new Map<string, Record<string, string[]>>();
  for (const { subject, predicate, object } of new Parser({ baseIRI: url }).parse(text)) {
    const field = ['path', 'sharedKey', 'accessList'].find((one) => predicate.value === DATA + one);
    if (field === undefined || object.value.length < 160) continue;
    const id = subject.value.replace(RESOURCE, '');
    const entry = entries.get(id) ?? { path: [], sharedKey: [], accessList: [] };
    entry[field]?.push(object.value);
    entries.set(id, entry);
  }
  return Array.from(entries, ([id, { path, sharedKey, accessList }]) => ({
    id,
    sealedPaths: path,
    sealedKeys: sharedKey,
    sealedAccessLists: accessList,
  }));
}

const prefixes = `@prefix data: <${DATA}> .\nPREFIX r: <${RESOURCE}>\n`;

test.each([
  [
    'as the server writes it',
    `<#me> a <http://x.example/Y>; <t> "Shared Encryption Keys".\n${full}`,
  ],
  ['prefixes of both kinds', `${prefixes}r:a1 data:path "${PATH}" ; data:sharedKey "${KEY}" .`],
  ['comments', `# "never <\n${full}# the end <`],
  ['a comment within', `<${RESOURCE}a> # who\n <${DATA}path> # what\n "${PATH}" .`],
  ['several values', `<${RESOURCE}a> <${DATA}path> "${long('a')}", "${long('b')}" , "short".`],
  ['two places', `${full}${full.replaceAll('K', 'L')}`],
  [
    'long strings',
    `<${RESOURCE}a> <${DATA}path> """${PATH}""" ; <${DATA}sharedKey> \'\'\'${KEY}\'\'\'.`,
  ],
  ['quotes in a long string', `<a> <b> """ " "" <x> \\""" """ . ${full}`],
  ['single quotes', `<${RESOURCE}a> <${DATA}path> '${PATH}'.`],
  ['escapes', `<${RESOURCE}a> <${DATA}path> "\\u0041\\U00000042\\t\\"${PATH}\\\\".`],
  ['an escape in an address', `<${RESOURCE}\\u0061> <${DATA}path> "${PATH}" .`],
  ['a language, a datatype', `<${RESOURCE}a> <${DATA}path> "${PATH}"@en-GB, "${KEY}"^^<x:y> .`],
  ['a prefixed datatype', `@prefix x: <x:> . <${RESOURCE}a> <${DATA}path> "${PATH}"^^x:y .`],
  ['a relative subject', `<x#y> <${DATA}path> "${PATH}" . <> <${DATA}path> "${KEY}" .`],
  ['trailing semicolons', `<${RESOURCE}a> <${DATA}path> "${PATH}" ;; .`],
  ['numbers and truths', `<x> <y> 1, -2.5, 1e3, true, .5 . ${full}`],
  ['blank nodes', `_:b <y> _:c . [] <y> [ <z> "w" ; <v> [] ] . [ <y> <z> ] . ${full}`],
  ['collections', `<x> <y> ( 1 "two" <three> ( ) ) . ${full}`],
  ['no space', `<${RESOURCE}a><${DATA}path>"${PATH}".<${RESOURCE}b><${DATA}path>"${KEY}".`],
  ['letters beyond ASCII', `<${RESOURCE}ä> <${DATA}path> "${PATH}" . <x> <y> "ä€😀" . ${full}`],
  ['nothing', ''],
  ['line breaks', '\r\n\n'],
])('%s: says what the full parser says', (_, text) => {
  const { entries, damage } = readSealedEntries(text, url);
  expect(damage).toBeNull();
  expect(entries).toEqual(parsed(text));
});

test('objects that are no strings, and values of the wrong length, are named', () => {
  const text = `<s> <${DATA}path> <five>, "six" . <${RESOURCE}t> <${DATA}path> _:x . ${full}`;
  const { entries, useless, damage } = readSealedEntries(text, url);
  expect([entries, damage]).toEqual([wanted, null]);
  expect(useless).toEqual(['https://pods.example/analyser/app/shared/s', 't']);
});

test('what a change cannot spell is asked to be removed as a whole', async () => {
  const text = `<s> <p> "plain", "german"@de, 5, _:blank, [], <x:link> .`;
  const subjects = ['https://pods.example/s'];
  const found = await statementsAbout(text, 'https://pods.example/x', subjects, Infinity);
  const objects = found.map(({ object }) => object);
  expect(objects).toEqual([
    { literal: 'plain' },
    { any: true },
    { any: true },
    { any: true },
    { any: true },
    { link: 'x:link' },
  ]);
});
