import { describe, expect, test } from 'vitest';
import { AnalyserError } from '../../base/errors.js';
import { readTurtle } from '../../solid/turtle.js';
import {
  agentRule,
  changeRules,
  everyoneRule,
  inheritRules,
  ownerRule,
  parseAcl,
  type Rule,
  writeAcl,
} from '../access-control.js';
import { logLine, logStatements } from '../sharing/permissions-log.js';
import { buildEncKeys, parseEncKeys } from './enc-keys.js';
import { buildEncryptedResource, parseEncryptedResource } from './encrypted-resource.js';
import { buildIndKeyEntry, IndKeys } from './ind-keys.js';
import { parsePublicKey } from './public-key.js';
import { writeTurtle } from './vocabulary.js';

const root = 'https://pods.example/alice/';
const url = `${root}app/data/bp.json.enc.ttl`;
const terms = 'https://solidcommunity.au/predicates/terms#';
const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('an encrypted resource', () => {
  const resource = { content: { iv: 'aXY=', data: 'ZGF0YQ==' }, inheritKeyFrom: 'app/data/' };
  const own = { ...resource, inheritKeyFrom: null };
  const app = `@prefix solidTerms: <${terms}> .
@prefix : <#>.

<${url}>
    solidTerms:path "app/data/bp.json.enc.ttl" ;
    solidTerms:iv "aXY=" ;
    solidTerms:encData "ZGF0YQ==" .
`;
  const afterPatch = `<> <${terms}encData> "ZGF0YQ==";
    <${terms}inheritKeyFrom> "app/data/";
    <${terms}iv> "aXY=";
    <${terms}path> "app/data/bp.json.enc.ttl".`;

  test.each([
    ['as the app writes it', app, own],
    ['as the server serves it after a change', afterPatch, resource],
    ['as we write it', buildEncryptedResource(url, root, resource), resource],
  ])('%s is read', async (_, turtle, expected) => {
    expect(await parseEncryptedResource(bytes(turtle), url)).toEqual(expected);
  });

  const another = (subject: string) =>
    `<${subject}> <${terms}iv> "b3RoZXI="; <${terms}encData> "b3RoZXI=".`;
  const elsewhere = `${root}app/data/other.json.enc.ttl`;

  test.each([
    ['another subject behind it', `${app}${another(elsewhere)}`],
    ['another subject before it', `${another(elsewhere)}\n${app}`],
    [
      'another subject, where the server writes relative addresses',
      `${another('other.json.enc.ttl')}\n${another('#me')}\n${app.replace(`<${url}>`, '<>')}`,
    ],
    [
      'another subject, and its own in another spelling',
      `${another(elsewhere)}\n${app.replace('/bp.json', '/%62p.json')}`,
    ],
    [
      'another subject alone, after its server got another name',
      app.replace(`<${root}`, '<https://old.example/'),
    ],
  ])('with %s is read from its own subject, else from any', async (_, turtle) => {
    expect(await parseEncryptedResource(bytes(turtle), url)).toEqual(own);
  });

  test.each([
    ['two subjects, neither its own', `${another(elsewhere)} ${app.replace(`<${url}>`, '<#me>')}`],
    ['two spellings of its own', `${another('bp.json.enc.ttl')} ${app}`],
    ['no IV', app.replace('solidTerms:iv "aXY=" ;', '')],
    ['two IVs', app.replace('"aXY="', '"aXY=", "b3RoZXI="')],
    ['an unknown prefix', app.replace('@prefix solidTerms:', '@prefix other:')],
    ['nothing', ''],
    ['no Turtle', '{"systolic": 118}'],
    ['a cut document', app.slice(0, 150)],
  ])('with %s is refused by name', async (_, turtle) => {
    const parse = () => parseEncryptedResource(bytes(turtle), url);
    await expect(parse).rejects.toThrow(AnalyserError);
    await expect(parse).rejects.toThrow(url);
  });
});

describe('enc-keys.ttl', () => {
  const keys = {
    keyVersion: 2 as const,
    salt: Buffer.alloc(16, 7),
    verification: 'dmVyaWZ5',
    sealedPrivateKey: { iv: 'aXY=', data: 'cGVt' },
  };
  const parse = async (turtle: string) => parseEncKeys(await readTurtle(turtle, url));

  test('reads back as it was built, with a salt and without', async () => {
    expect(await parse(buildEncKeys(url, keys))).toEqual(keys);
    const old = { ...keys, keyVersion: 1 as const, salt: null };
    expect(await parse(buildEncKeys(url, old))).toEqual(old);
  });

  test('a salt without a version means version 2', async () => {
    const turtle = buildEncKeys(url, keys).replace(/ ;\n.*keyVersion> "2"/, '');
    expect(turtle).not.toContain('keyVersion');
    expect(await parse(turtle)).toEqual(keys);
  });

  test.each([
    ['no verification value', (turtle: string) => turtle.replace('encKey', 'other')],
    [
      'two verification values',
      (turtle: string) => `${turtle}<${url}> <${terms}encKey> "b3RoZXI=" .`,
    ],
    ['a version nobody knows', (turtle: string) => turtle.replace('"2"', '"3"')],
    ['a salt that is no base64', (turtle: string) => turtle.replace('BwcH', '****')],
    ['a salt that is too short', (turtle: string) => turtle.replace('BwcH', '')],
  ])('with %s is refused by name', async (_, change) => {
    await expect(parse(change(buildEncKeys(url, keys)))).rejects.toThrow(url);
  });
});

test('a public key that is none is refused by name', async () => {
  const turtle = `<> <${terms}pubKey> "QUJD" .`;
  const document = await readTurtle(turtle, url);
  expect(() => parsePublicKey(document)).toThrow(`${url} cannot be used`);
});

describe('ind-keys.ttl', () => {
  const pod = { root, masterKey: Buffer.alloc(32, 1) };
  const key = Buffer.alloc(32, 2);
  const find = async (turtle: string) =>
    new IndKeys(await readTurtle(turtle, `${root}app/encryption/ind-keys.ttl`)).entryOf(url, pod);
  const entry = writeTurtle(buildIndKeyEntry(url, key, pod));
  const path = `<${terms}path> "app/data/bp.json.enc.ttl"`;

  test('an entry opens however its subject is spelled', async () => {
    expect(entry).toContain(path);
    const same = ['../data/bp.json.enc.ttl', url.replace('bp.json', '%62p.json')];
    for (const spelling of [url, ...same]) {
      const found = await find(entry.replace(`<${url}>`, `<${spelling}>`));
      expect(found).toMatchObject({ key, problem: null, isExact: true });
      expect(found.statements).toHaveLength(3);
    }
    const other = await find(entry.replace('bp.json', 'other.json'));
    expect(other).toEqual({ statements: [], key: null, problem: null, isExact: false });
  });

  test('the same key in two spellings is one key, which the app does not find; two keys are none', async () => {
    const inOther = (turtle: string) => turtle.replaceAll(url, url.replace('bp.json', '%62p.json'));
    const sealedAgain = writeTurtle(buildIndKeyEntry(url, key, pod));
    const same = await find(`${entry}\n${inOther(sealedAgain)}`);
    expect(same).toMatchObject({ key, problem: null, isExact: false });
    expect(same.statements).toHaveLength(6);
    const another = writeTurtle(buildIndKeyEntry(url, Buffer.alloc(32, 3), pod));
    expect(await find(`${entry}\n${inOther(another)}`)).toMatchObject({
      key: null,
      problem: expect.stringContaining('different keys'),
    });
  });

  test.each([
    ['half an entry', entry.replace('sessionKey', 'other')],
    ['two keys', `${entry}<${url}> <${terms}sessionKey> "b3RoZXI=" .`],
    ['two IVs', `${entry}<../data/bp.json.enc.ttl> <${terms}iv> "b3RoZXI=" .`],
    ['a key that does not open', entry.replace(/(sessionKey> ")..../, '$1****')],
  ])('never takes %s for none', async (_, turtle) => {
    expect(await find(turtle)).toMatchObject({
      key: null,
      isExact: false,
      problem: expect.any(String),
    });
  });

  test.each([
    ['no path', entry.replace(path, `<${terms}other> ""`)],
    ['another path', entry.replace(path, `<${terms}path> "app/data/other.json.enc.ttl"`)],
    ['two paths', `${entry}<${url}> <${terms}path> "x" .`],
  ])('a key with %s is ours, and the app does not find it', async (_, turtle) => {
    expect(await find(turtle)).toMatchObject({ key, problem: null, isExact: false });
  });
});

test('a permission log holds lines in the words of the app, at the time on the wall', () => {
  const [me, bob] = [`${root}profile/card#me`, 'https://pods.example/bob/profile/card#me'];
  const time = new Date(2026, 7, 19, 9, 5, 3, 42);
  const change = { ownerWebId: me, recipientWebId: bob, urls: [url], time };
  expect(logLine(url, { ...change, action: 'grant' })).toBe(
    `<20260819T090503;${url};${me};grant;${me};${bob};read>`,
  );
  const names = logStatements({ ...change, urls: [url, url], action: 'revoke' }).map(
    ({ subject }) => subject,
  );
  expect(names[0]).toMatch(
    /^https:\/\/solidcommunity\.au\/predicates\/logid#20260819T090503042\d{6}$/,
  );
  expect(new Set(names).size).toBe(2);
});

describe('access rules', () => {
  const owner = `${root}profile/card#me`;
  const [bob, carol] = ['https://pods.example/bob/profile/card#me', 'https://c.example/#me'];
  const change = (rules: Rule[], modes: ('read' | 'write')[], resource = url) =>
    changeRules(rules, { resource, ownerWebId: owner, agent: bob, modes });
  const rulesOf = (resource: string) => [
    ownerRule(resource, owner),
    agentRule(resource, carol, ['read']),
    everyoneRule(resource, ['append']),
  ];
  const spoken = (rules: Rule[]) =>
    rules.map(({ agents, modes }) => [agents, modes.map((mode) => mode.replace(/.*#/, ''))]);

  test('are read back as they were written', async () => {
    const rules = rulesOf(`${root}app/data/`);
    const turtle = writeAcl(`${root}app/data/`, rules);
    expect(parseAcl(await readTurtle(turtle, `${root}app/data/.acl`))).toEqual(rules);
  });

  test('escape a colon in the path as the server compares it', () => {
    expect(ownerRule('http://localhost:3000/localhost:3000-a', owner).accessTo).toEqual([
      'http://localhost:3000/localhost%3A3000-a',
    ]);
  });

  test('[T31] gain and lose one agent while the others keep theirs', () => {
    const rules = rulesOf(url);
    const granted = change(rules, ['read']);
    expect(granted).toEqual([...rules, agentRule(url, bob, ['read'])]);
    expect(change(granted, ['read'])).toEqual(granted);
    expect(change(granted, [])).toEqual(rules);
  });

  test('[T31] take an agent out of a rule it shares with others', () => {
    const both = { ...agentRule(url, bob, ['read']), agents: [bob, carol] };
    expect(change([ownerRule(url, owner), both], [])).toEqual([
      ownerRule(url, owner),
      { ...both, agents: [carol] },
    ]);
  });

  test('always leave the owner in control, without giving others more', () => {
    const partial = { ...agentRule(url, owner, ['read']), agents: [owner, carol] };
    expect(spoken(change([partial], []))).toEqual([
      [[owner, carol], ['Read']],
      [[owner], ['Read', 'Write', 'Control']],
    ]);
  });

  test('pass from a folder to what lies in it only as far as it says so', () => {
    const folder = `${root}app/data/`;
    const forItself = { ...agentRule(folder, bob, ['write']), default: [] };
    const inherited = inheritRules([...rulesOf(folder), forItself], folder, url);
    expect(inherited).toEqual(rulesOf(url));
  });
});
