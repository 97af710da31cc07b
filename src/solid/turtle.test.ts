import { expect, test } from 'vitest';
import { AnalyserError } from '../base/errors.js';
import { readTurtle } from './turtle.js';

const URL_OF_DOCUMENT = 'https://pods.example/alice/app/shared/shared-keys.ttl';
const P = 'https://solidcommunity.au/predicates/data#path';

function failureOf(text: string): Promise<unknown> {
  return readTurtle(text, URL_OF_DOCUMENT).then(
    () => null,
    (error: unknown) => error,
  );
}

test('relative addresses resolve against the document', async () => {
  const document = await readTurtle(
    `<> <${P}> "own" . <../logs/x.ttl> <${P}> <#me> .`,
    URL_OF_DOCUMENT,
  );
  expect(document.literals(URL_OF_DOCUMENT, P)).toEqual(['own']);
  expect(document.links('https://pods.example/alice/app/logs/x.ttl', P)).toEqual([
    `${URL_OF_DOCUMENT}#me`,
  ]);
});

test.each([
  ['not Turtle at all', '{"a": 1}'],
  ['a page', '<!DOCTYPE html><html></html>'],
  ['cut off within a statement', '<a> <b> "c'],
  ['cut off between the terms', '<a> <b> '],
  ['an unknown prefix', 'x:a x:b x:c .'],
  ['N3 rules', '{ <a> <b> <c> } => { <d> <e> <f> } .'],
  ['more statements than anybody needs', `<a> <b> ${'"",'.repeat(300_001)}"" .`],
  ['a million open brackets', `<a> <b> ${'('.repeat(1_000_000)}`],
])('%s is malformed, named with its address and without its content', async (_case, text) => {
  const error = await failureOf(text);
  expect(error).toBeInstanceOf(AnalyserError);
  expect(error).toMatchObject({ kind: 'malformed' });
  expect(String(error)).toContain(URL_OF_DOCUMENT);
  expect(String(error).length).toBeLessThan(250);
});

test('brackets are bounded, as each takes memory before anything is wrong', async () => {
  expect(String(await failureOf(`<a> <b> ${'('.repeat(1_000_000)}`))).toContain(
    'it nests without end',
  );
});

test.each([
  ['nothing', ''],
  ['blanks', ' \n'],
  ['a comment', '# empty'],
  ['a prefix', '@prefix a: <b> .'],
])('%s is an empty document', async (_case, text) => {
  expect([...(await readTurtle(text, URL_OF_DOCUMENT)).subjects()]).toEqual([]);
});

test('a document of many statements is read whole', async () => {
  const text = Array.from({ length: 3_000 }, (_, i) => `<#${i}> <${P}> "${'x'.repeat(99)}${i}".`);
  const document = await readTurtle(text.join('\n'), URL_OF_DOCUMENT);
  expect([...document.subjects()]).toHaveLength(3_000);
  expect(document.literals(`${URL_OF_DOCUMENT}#2999`, P)).toEqual([`${'x'.repeat(99)}2999`]);
});
