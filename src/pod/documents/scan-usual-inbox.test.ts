import { Parser } from 'n3';
import { describe, expect, test } from 'vitest';
import { readBlock, scanUsualInbox } from './scan-usual-inbox.js';

const url = 'http://localhost:3000/analyser/app/shared/shared-keys.ttl';
const share = 'https://solidcommunity.au/predicates/resourceid#0a';
const path = 'https://solidcommunity.au/predicates/data#path';
const key = 'https://solidcommunity.au/predicates/data#sharedKey';
const value = 'QUJD'.repeat(86);

async function scan(text: string): Promise<string[][] | null> {
  const found: string[][] = [];
  const isUsual = await scanUsualInbox(Buffer.from(text), url, (block) => {
    for (const [predicate, object] of block.statements) {
      found.push([block.subject, predicate, 'link' in object ? object.link : object.literal]);
    }
    // Taken out of the document, it says the same.
    const { subject, statements } = block;
    expect(readBlock(text.slice(block.start, block.end), url)).toMatchObject({
      subject,
      statements,
    });
  });
  return isUsual ? found : null;
}

function parse(text: string): string[][] {
  return new Parser({ baseIRI: url, format: 'text/turtle' })
    .parse(text)
    .map(({ subject, predicate, object }) => [subject.value, predicate.value, object.value]);
}

describe('the usual layout says what the full reader says', () => {
  test.each([
    [
      'as the server writes it',
      `<#me> a <http://xmlns.com/foaf/0.1/PersonalProfileDocument>;\n    <http://purl.org/dc/terms/title> "Shared Encryption Keys".\n<${share}> <${path}> "${value}";\n    <${key}> "${value}".\n`,
    ],
    [
      'as this project writes it',
      `<${share}>\n    <${path}> "${value}" ;\n    <${key}> "${value}" .\n`,
    ],
    ['two values of one predicate', `<${share}> <${path}> "${value}", "b".\n`],
    ['one subject twice', `<${share}> <${path}> "a".\n<${share}> <${path}> "b".\n`],
    ['without a space that is not needed', `<${share}> <${path}>"a".<${share}> <${path}>"b".`],
    ['the document itself as subject', `<> <${path}> "a".`],
    ['a neighbour as object', `<${share}> <${path}> <other.ttl>.`],
    ['nothing', ''],
    ['only line breaks', '\n\n'],
  ])('%s', async (_name, text) => {
    expect(await scan(text)).toEqual(parse(text));
  });

  test('more than one window of it', async () => {
    const many = Array.from(
      { length: 5000 },
      (_, index) => `<${share}${index}> <${path}> "${value}${index}";\n    <${key}> "${value}".\n`,
    ).join('');
    expect(many.length).toBeGreaterThan(2 << 20);
    expect(await scan(many)).toEqual(parse(many));
  });
});

describe('any other layout is left to the full reader', () => {
  test.each([
    ['a prefix', `@prefix d: <${path}> .\n<${share}> d: "a".`],
    ['a comment', `# hello\n<${share}> <${path}> "a".`],
    ['a language', `<${share}> <${path}> "a"@en.`],
    ['a datatype', `<${share}> <${path}> "a"^^<http://www.w3.org/2001/XMLSchema#string>.`],
    ['an escape', `<${share}> <${path}> "a\\u0041".`],
    ['an escape in an address', `<http://a.example/\\u0041> <${path}> "a".`],
    ['a long string', `<${share}> <${path}> """a""".`],
    ['single quotes', `<${share}> <${path}> 'a'.`],
    ['a blank node', `_:b <${path}> "a".`],
    ['brackets', `<${share}> <${path}> [ <${key}> "a" ].`],
    ['a number', `<${share}> <${path}> 1.`],
    ['letters beyond ASCII', `<${share}> <${path}> "ä".`],
    ['a relative predicate', `<${share}> <path> "a".`],
    ['no end', `<${share}> <${path}> "a"`],
    ['no object', `<${share}> <${path}> .`],
    ['a trailing semicolon', `<${share}> <${path}> "a";.`],
    ['an odd end', `<${share}> <${path}> "a". x`],
    ['a subject larger than a window', `<${share}> <${path}> "${'a'.repeat(1 << 20)}".`.repeat(2)],
  ])('%s', async (_name, text) => {
    expect(await scan(text)).toBeNull();
  });
});

test('an abort ends it', async () => {
  const many = `<${share}> <${path}> "${value}".\n`.repeat(100_000);
  const scanning = scanUsualInbox(Buffer.from(many), url, () => undefined, AbortSignal.abort());
  await expect(scanning).rejects.toThrow();
});
