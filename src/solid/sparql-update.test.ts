import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildSparqlUpdate, writeIri, writeLiteral } from './sparql-update.js';
import { readTurtle } from './turtle.js';

const S = 'https://pods.example/alice/app/shared/shared-keys.ttl';
const P = 'https://solidcommunity.au/predicates/data#path';

test('values are removed before others are added, in one update', () => {
  const triple = (literal: string) => ({ subject: S, predicate: P, object: { literal } });
  expect(buildSparqlUpdate({ delete: [triple('old')], insert: [triple('new')] })).toBe(
    `DELETE DATA {\n<${S}> <${P}> "old" .\n} ;\nINSERT DATA {\n<${S}> <${P}> "new" .\n}`,
  );
  expect(buildSparqlUpdate({ insert: [{ subject: S, predicate: P, object: { link: S } }] })).toBe(
    `INSERT DATA {\n<${S}> <${P}> <${S}> .\n}`,
  );
  expect(buildSparqlUpdate({ delete: [], insert: [] })).toBe('');
});

test('[T36] every literal comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string({ unit: 'grapheme' }), nastyText()), async (value) => {
      const document = await readTurtle(`<${S}> <${P}> ${writeLiteral(value)} .`, S);
      expect(document.literals(S, P)).toEqual([value]);
    }),
    { numRuns: 1_000 },
  );
});

test('[T36] every literal also comes back from a parser that replaces \\uXXXX first', async () => {
  await fc.assert(
    fc.asyncProperty(nastyText(), async (value) => {
      const replaced = writeLiteral(value).replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => {
        const character = String.fromCharCode(Number.parseInt(hex, 16));
        // What becomes of control characters there is not the point here.
        return /[\x00-\x1f\x7f]/.test(character) ? ' ' : character;
      });
      const document = await readTurtle(`<${S}> <${P}> ${replaced} .`, S);
      expect(document.literals(S, P)).toEqual([
        value.replace(/[\x00-\x07\x0b\x0e-\x1f\x7f]/g, ' '),
      ]);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '',
  'a b',
  'x> <y',
  'x>',
  'x<',
  'x"',
  'x{',
  'x}',
  'x|',
  'x^',
  'x`',
  'x\\u003e',
  'x\n',
  'x\ud800',
])('[T36] the address %j is refused', (iri) => {
  expect(() => writeIri(iri)).toThrow(expect.objectContaining({ kind: 'malformed' }));
});

test('an address with a port in its path is written as it is', () => {
  const iri = 'http://localhost:3000/localhost:3000-alice/x%20y#me';
  expect(writeIri(iri)).toBe(`<${iri}>`);
});

function nastyText(): fc.Arbitrary<string> {
  return fc
    .array(
      fc.constantFrom(
        '\\',
        '"',
        'u',
        'U',
        '0022',
        '0000005c',
        '\n',
        '\r',
        '\t',
        '\0',
        "'",
        '}',
        '>',
        'é',
        '\u007f',
      ),
    )
    .map((parts) => parts.join(''));
}

test('a typed text is removed by its type, and a blank node, which has no name, by its place', async () => {
  const xsd = 'http://www.w3.org/2001/XMLSchema#integer';
  const document = await readTurtle(`<s:s> <p:p> "x", "y"@en-GB, 5, _:b, [], <l:l> .`, S);
  const insert = [{ subject: 's:s', predicate: 'p:p', object: { literal: 'x' } }];
  expect(buildSparqlUpdate({ delete: document.about('s:s'), insert })).toBe(
    `DELETE DATA {\n<s:s> <p:p> "x" .\n<s:s> <p:p> "y"@en-gb .\n<s:s> <p:p> "5"^^<${xsd}> .\n<s:s> <p:p> <l:l> .\n} ;\n` +
      'DELETE { <s:s> <p:p> ?any } WHERE { <s:s> <p:p> ?any } ;\n' +
      'INSERT DATA {\n<s:s> <p:p> "x" .\n}',
  );
});
