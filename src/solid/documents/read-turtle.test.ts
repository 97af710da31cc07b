import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AnalyserError } from '../../base/errors.js';
import { readLargeTurtle, readTurtle } from './read-turtle.js';
import type { TurtleDocument } from './turtle-document.js';

const URL_OF_DOCUMENT = 'https://pods.example/alice/app/shared/shared-keys.ttl';
const P = 'https://solidcommunity.au/predicates/data#path';

test('relative addresses resolve against the document', () => {
  const document = readTurtle(`<> <${P}> "own" . <../logs/x.ttl> <${P}> <#me> .`, URL_OF_DOCUMENT);
  expect(document.literals(URL_OF_DOCUMENT, P)).toEqual(['own']);
  expect(document.links('https://pods.example/alice/app/logs/x.ttl', P)).toEqual([
    `${URL_OF_DOCUMENT}#me`,
  ]);
});

describe.each([
  [
    'in one go',
    (text: string) =>
      new Promise<TurtleDocument>((resolve) => resolve(readTurtle(text, URL_OF_DOCUMENT))),
  ],
  ['in pieces', (text: string) => readLargeTurtle(text, URL_OF_DOCUMENT)],
])('%s', (_name, read) => {
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
    const error: unknown = await read(text).then(
      () => undefined,
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(AnalyserError);
    expect(error).toMatchObject({ kind: 'malformed' });
    expect(String(error)).toContain(URL_OF_DOCUMENT);
    expect(String(error).length).toBeLessThan(250);
  });

  test.each([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['a comment', '# empty'],
    ['a prefix', '@prefix a: <b> .'],
  ])('%s is an empty document', async (_case, text) => {
    expect([...(await read(text)).subjects()]).toEqual([]);
  });

  test('an inbox of many entries is read whole', async () => {
    const text = Array.from({ length: 3_000 }, (_, i) => `<#${i}> <${P}> "${'x'.repeat(99)}${i}".`);
    const document = await read(text.join('\n'));
    expect([...document.subjects()]).toHaveLength(3_000);
    expect(document.literals(`${URL_OF_DOCUMENT}#2999`, P)).toEqual([`${'x'.repeat(99)}2999`]);
  });

  test('no input does anything but be read or be malformed', async () => {
    const turtleLike = fc
      .array(
        fc.constantFrom(
          '<',
          '>',
          '"',
          '"""',
          '\\',
          '.',
          ';',
          ',',
          '[',
          ']',
          '(',
          ')',
          '@prefix',
          ':',
          '^^',
          '_:',
          'a',
          ' ',
          '\n',
          '\0',
          '\\u00',
          '#',
          '{',
          '}',
        ),
      )
      .map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.oneof(turtleLike, fc.string({ unit: 'binary' })), async (text) => {
        try {
          await read(text);
        } catch (error) {
          expect(error).toMatchObject({ kind: 'malformed' });
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('reading in pieces can be stopped', async () => {
  const text = `<a> <b> "${'x'.repeat(300_000)}" .`;
  const stop = new AbortController();
  const reason = new Error('stopped');
  const reading = readLargeTurtle(text, URL_OF_DOCUMENT, stop.signal);
  stop.abort(reason);
  await expect(reading).rejects.toBe(reason);
});
