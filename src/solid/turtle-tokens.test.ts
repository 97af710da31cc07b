import { expect, test } from 'vitest';
import { AnalyserError } from '../base/errors.js';
import { readTurtle, visitTurtle } from './turtle.js';

const url = 'https://pods.example/mallory/app/data/x.enc.ttl';
const address = (length: number) => `http://h.example/${'a'.repeat(length)}/`;
const { base, prefix } = {
  base: (length: number) => `@base <${address(length)}>.`,
  prefix: (length: number) => `@prefix p: <${address(length)}>.`,
};

const tooLong = 'its base, a prefix or a type is too long';
const longName = 'one of its names is too long';
const tooMuch = 'its names stand for too much';

/** A hundred times more statements than a text may hold whose names lean on so much. */
const many = (object: string) => `<s> <p> ${`${object},`.repeat(15_000)}"".`;

test.each([
  ['a base of 75 kB', `${base(75_000)}${many('<./>')}`, tooLong],
  ['one in the way of SPARQL', `base <${address(75_000)}> ${many('<./>')}`, tooLong],
  ['a prefix of 75 kB', `${prefix(75_000)}${many('p:x')}`, tooLong],
  ['one in the way of SPARQL', `PREFIX p: <${address(75_000)}> ${many('p:x')}`, tooLong],
  ['prefixes that lean on a long base', `${base(1_900)}@prefix p: <${'b'.repeat(200)}>.`, tooLong],
  ['bases of which each leans on the one before', '@base <a/>.'.repeat(10_000), tooLong],
  ['a type of 9 kB', `<s> <p> ""^^<${address(9_000)}>.`, tooLong],
  ['names below a base', `${base(1_900)}${many('<./>')}`, tooMuch],
  ['names that are short in the end', `${base(1_900)}${many('<../>')}`, tooMuch],
  ['empty names', `${base(1_900)}${many('<>')}`, tooMuch],
  ['names of parts', `${base(1_900)}${many('<#a>')}`, tooMuch],
  ['questions', `${base(1_900)}${many('<?q>')}`, tooMuch],
  ['names behind a prefix', `${prefix(1_900)}${many('p:x')}`, tooMuch],
  ['types below a base', `${base(1_900)}${many('""^^<./>')}`, tooMuch],
  ['types behind a prefix', `${prefix(1_900)}${many('""^^p:x')}`, tooMuch],
  ['prefixes below a base', `${base(1_900)}${'@prefix p: <./>.'.repeat(15_000)}`, tooMuch],
  ['steps in names', many(`<${'a/'.repeat(50)}${'../'.repeat(50)}>`), tooMuch],
  [
    'steps in the base',
    `@base <http://h/${'a/'.repeat(300)}${'../'.repeat(300)}>.${many('<a>')}`,
    tooMuch,
  ],
  ['a relative name of 9 kB', `<s> <p> <${'../'.repeat(3_000)}>.`, longName],
  ['a name of 9 kB behind a prefix', `${prefix(9)}<s> <p> p:${'a'.repeat(9_000)} .`, longName],
  ['a subject of 9 kB', `<${address(9_000)}> <p> <o>.`, longName],
  ['a predicate of 9 kB', `<s> <${address(9_000)}> <o>.`, longName],
  ['the name of a blank node, of 9 kB', `_:${'a'.repeat(9_000)} <p> <o>.`, longName],
])('[T4] a short text may not stand for a long one: %s', async (_what, text, problem) => {
  const failure = await readTurtle(text, url).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AnalyserError);
  expect(String(failure)).toContain(`${url} is not a Turtle document: ${problem}.`);
});

const file = (i: number) =>
  `<reading-${i}.enc.ttl> a ldp:Resource, <http://www.w3.org/ns/iana/media-types/text/turtle#Resource>;
    dc:modified "2026-08-19T09:15:00.000Z"^^xsd:dateTime; posix:mtime 1787130900; posix:size 1024.
  <> ldp:contains <reading-${i}.enc.ttl>, <./reading-${i}.enc.ttl>.`;
const vocabularies = `@prefix dc: <http://purl.org/dc/terms/>. @prefix ldp: <http://www.w3.org/ns/ldp#>.
  @prefix posix: <http://www.w3.org/ns/posix/stat#>. @prefix xsd: <http://www.w3.org/2001/XMLSchema#>.`;
const times = (count: number, write: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i));

test.each([
  ['the listing of a folder', 20_001, [vocabularies, ...times(20_000, file)].join('\n')],
  [
    'a prefix for each name, as some programs write',
    10_000,
    times(
      10_000,
      (i) => `@prefix n${i}: <https://pods.example/alice/${i}#>. n${i}:me n${i}:is n${i}:it .`,
    ).join(''),
  ],
  [
    'a profile that holds its picture',
    1,
    `<#me> <http://xmlns.com/foaf/0.1/img> <data:image/png;base64,${'A'.repeat(200_000)}>.`,
  ],
  ['a long text', 1, `<#me> <#says> "${'a'.repeat(200_000)}".`],
  ['a name of a long Pod', 1, `<#me> <#knows> <${address(7_000)}>.`],
])('an honest text is read whole: %s', async (_what, subjects, text) => {
  const document = await readTurtle(text, url);
  expect([...document.subjects()]).toHaveLength(subjects);
});

const large = (count: number) => times(count, (i) => `<#${i}> <#p> "${'x'.repeat(60)}".`).join('');

test('[T5] reading ends between two pieces when the signal aborts', async () => {
  const [stop, reason] = [new AbortController(), new Error('enough')];
  let seen = 0;
  const see = () => {
    seen += 1;
    if (seen === 1) stop.abort(reason);
  };
  const how = { mostStatements: 100_000, signal: stop.signal };
  await expect(visitTurtle(large(10_000), url, see, how)).rejects.toBe(reason);
  expect(seen).toBeLessThan(1_000);
});

test('texts of several pieces are read one after the other, a short one at once', async () => {
  const order: string[] = [];
  const read = async (name: string, text: string) => {
    await visitTurtle(text, url, () => void order.push(name), { mostStatements: 100_000 });
    order.push(`${name} ends`);
  };
  await Promise.all([
    read('one', large(1_000)),
    read('two', large(1_000)),
    read('short', large(1)),
  ]);
  expect(order.filter((name) => name.endsWith('ends'))).toEqual([
    'short ends',
    'one ends',
    'two ends',
  ]);
  expect(order.lastIndexOf('one')).toBeLessThan(order.indexOf('two'));
});
