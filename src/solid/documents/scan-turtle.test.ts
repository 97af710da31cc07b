import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectSameStatements } from '../../../test/support/same-statements.js';
import { scanTurtle } from './scan-turtle.js';

const url = 'https://pods.example/alice/notes.ttl';
const terms = 'https://terms.example/#';

test.each([
  ['as an app writes it', `@prefix t: <${terms}> .\n@prefix : <#>.\n\n<x>\n  t:a "1" ;\n  :b "" .`],
  ['as a server writes it', `<> <${terms}b> "2";\n    <${terms}a> "3", <y>.\n<z> a <${terms}C>.`],
  ['without room', `<a><b>"c".<d><e>"f","g";<h><i>.`],
  ['nothing', ' \r\n'],
])('%s, it says what the full parser says', (_, text) => {
  expect(expectSameStatements(text, url)).toBe(true);
});

test.each([
  ['a comment', '# written by hand\n<a> <b> "c" .'],
  ['an escape', '<a> <b> "\\u0063" .'],
  ['an escape in an address', '<\\u0061> <b> "c" .'],
  ['a long string', '<a> <b> """c""" .'],
  ['an apostrophe', "<a> <b> 'c' ."],
  ['a language', '<a> <b> "c"@en .'],
  ['a datatype', '<a> <b> "c"^^<d> .'],
  ['a number', '<a> <b> 5 .'],
  ['brackets', '<a> <b> [] .'],
  ['a blank node', '_:a <b> _:c .'],
  ['a dot in a name', `@prefix t: <${terms}> . t:a t:b t:c.d . `],
  ['a base', '@base <https://else.example/> . <a> <b> "c" .'],
  ['a semicolon at the end', '<a> <b> "c" ; .'],
  ['an end that is missing', '<a> <b> "c"'],
  ['a prefix nobody defined', 't:a <b> "c" .'],
])('%s is left to the full parser', (_, text) => {
  expect(expectSameStatements(text, url)).toBe(false);
});

test('what it calls whole is what the full parser reads', () => {
  const piece = fc.constantFrom(
    ...['@prefix t: <', terms, '> .', '<', '>', 't:a', ':b', ' "', '"', 'aXY=', ' ;', ' .', ','],
    ...['\n', '\\', '^^', '@en', 'a', '#', "'", '_:b', '[', ']', '.', ' ', '1', '-', ':', '\u0000'],
  );
  const text = `@prefix t: <${terms}> .\n<s>\n t:a "one" ;\n a <T>, _:c .\n`;
  const changed = fc
    .tuple(fc.nat(text.length), fc.nat(3), piece)
    .map(([at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));
  const any = fc.oneof(
    changed,
    fc.array(piece).map((pieces) => pieces.join('')),
  );
  fc.assert(
    fc.property(any, (turtle) => {
      expectSameStatements(turtle, url);
    }),
    { numRuns: 3000 },
  );
});

test('what makes no sense takes nothing from what stands beside it', () => {
  const seen: unknown[] = [];
  const text =
    '<s> <p> "a\\"; <x> . b"@en ; <q> 5, "yes" .\n<junk> <t> <p> "too" ((( <u> <p> "three"';
  expect(scanTurtle(text, (...statement) => seen.push(statement))).toBe(false);
  expect(seen).toContainEqual(['s', 'q', { literal: 'yes' }]);
  expect(seen).toContainEqual(['t', 'p', { literal: 'too' }]);
  expect(seen).toContainEqual(['u', 'p', { literal: 'three' }]);
});
