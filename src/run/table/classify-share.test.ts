import { expect, test } from 'vitest';
import { configSchema } from '../../config/schema.js';
import { classifyShare, isData, isInView, misspelledIn, shareRules } from './classify-share.js';

const server = 'https://pods.example';
const rulesOf = (data: object = {}) =>
  shareRules(
    configSchema.parse({
      analyser: { web_id: `${server}/analyser/profile/card#me`, server_url: `${server}/` },
      data: { allowed_origins: ['https://elsewhere.example'], ...data },
    }),
    `${server}/analyser/`,
  );
const appOf = (pod: string) => `${pod}/app/`;
const fileOf = (pod: string) => `${appOf(pod)}data/blood_pressure/bp_1.json.enc.ttl`;
const kindOf = (url: string, data: object = {}) => classifyShare(url, rulesOf(data)).kind;

test.each([
  ['a file of readings', fileOf(`${server}/anna`), 'data'],
  ['its folder', `${appOf(`${server}/anna`)}data/blood_pressure/`, 'data'],
  ['a file on an allowed server', fileOf('https://elsewhere.example/ben'), 'data'],
  ['a file on any other server', fileOf('https://nowhere.example/ben'), 'refused'],
  ['another kind of data', `${appOf(`${server}/anna`)}data/weight/w_1.json.enc.ttl`, 'ignored'],
  ['a file of the Analyser', fileOf(`${server}/analyser`), 'ignored'],
  ['rules of access', `${fileOf(`${server}/anna`)}.acl`, 'ignored'],
  [
    'readings with the name of rules in it',
    `${appOf(`${server}/anna`)}data/blood_pressure/bp.acl.enc.ttl`,
    'data',
  ],
  ['an export', `${appOf(`${server}/anna`)}data/blood_pressure/bp.csv`, 'other name'],
  ['an export elsewhere', 'https://nowhere.example/ben/app/data/blood_pressure/bp.csv', 'ignored'],
  ['a file in no Pod', `${server}/data/blood_pressure/bp_1.json.enc.ttl`, 'refused'],
  [
    'a file where anybody may write',
    `${appOf(`${server}/anna`)}shared/data/blood_pressure/bp_1.json.enc.ttl`,
    'refused',
  ],
])('[T2][T1] %s', (_, url, kind) => {
  expect(kindOf(url)).toBe(kind);
});

test('a file of the Analyser is none, also where its root is configured in another form', () => {
  const config = configSchema.parse({
    analyser: { web_id: `${server}/analyser/profile/card#me`, server_url: `${server}/` },
  });
  for (const root of [`${server}/analyser/`, `${server}/%61nalyser/`]) {
    const { kind } = classifyShare(fileOf(`${server}/analyser`), shareRules(config, root));
    expect(kind).toBe('ignored');
  }
});

test('of all files of a folder one class is kept', () => {
  const rules = rulesOf();
  const folder = `${appOf(`${server}/anna`)}data/blood_pressure/`;
  for (const url of [`${folder}1.enc.ttl`, `${folder}2.enc.ttl`, folder]) classifyShare(url, rules);
  expect([...rules.folders.keys()]).toEqual([folder]);
});

test('[T2] what has one of several path_fragments is data; without any everything is, but for what never is', () => {
  expect(kindOf(fileOf(`${server}/anna`), { path_fragments: ['weight', 'pressure'] })).toBe('data');
  const kinds = [
    `${appOf(`${server}/anna`)}data/weight/w_1.json.enc.ttl`,
    fileOf(`${server}/analyser`),
    `${fileOf(`${server}/anna`)}.acl`,
    `${appOf(`${server}/anna`)}shared/bp.enc.ttl`,
  ].map((url) => kindOf(url, { path_fragments: [] }));
  expect(kinds).toEqual(['data', 'ignored', 'ignored', 'refused']);
});

test('[3.3] a Pod that the operator leaves out, by its WebID or its root, and no other', () => {
  for (const place of [`${server}/anna/profile/card#me`, `${server}/anna/`]) {
    const data = { excluded_pods: [place] };
    expect(kindOf(fileOf(`${server}/anna`), data)).toBe('excluded');
    expect(kindOf(fileOf(`${server}/anna2`), data)).toBe('data');
  }
  const { excluded_pods } = { excluded_pods: [`${server}/`] };
  expect(kindOf(fileOf(`${server}/anna`), { excluded_pods })).toBe('excluded');
  expect(kindOf(fileOf('https://elsewhere.example/ben'), { excluded_pods })).toBe('data');
});

test('[T34] where the Pods of another server lie deeper, its configuration says so', () => {
  const deep = fileOf('https://elsewhere.example/of/a/ben');
  const data = { allowed_origins: [{ origin: 'https://elsewhere.example', pod_depth: 3 }] };
  const rootIsIn = (given: object) => classifyShare(deep, rulesOf(given));
  expect(rootIsIn(data)).toMatchObject({ owner: { rootIs: 'likely' } });
  expect(rootIsIn({})).toMatchObject({ owner: { rootIs: 'doubtful' } });
});

test('[3.4] what is in view is read or skipped, and what is data is read', () => {
  const rules = rulesOf();
  const folder = `${appOf(`${server}/anna`)}data/blood_pressure/`;
  const [file, csv, acl] = [`${folder}bp_1.json.enc.ttl`, `${folder}bp.csv`, `${folder}x.acl`];
  expect([file, csv, acl].map((url) => isInView(url, rules))).toEqual([true, true, false]);
  expect([file, csv, acl].map((url) => isData(url, rules))).toEqual([true, false, false]);
  // A file directly in the folder of the app is of no kind of data.
  expect(isInView(`${appOf(`${server}/anna`)}bp.enc.ttl`, rules)).toBe(false);
});

test('[T3] an entry that spells the root of its Pod in another form passes for nobody', () => {
  const objectionTo = misspelledIn(rulesOf());
  const url = fileOf(`${server}/anna`);
  expect(objectionTo(url, url)).toBeNull();
  expect(objectionTo(url, url.replace('bp_1', '%62p_1'))).toBeNull();
  expect(objectionTo(url, url.replace('/anna/', '/%61nna/'))).toBe(
    `names the Pod ${server}/anna/ in another form`,
  );
  const ignored = `${appOf(`${server}/anna`)}data/weight/w.enc.ttl`;
  expect(objectionTo(ignored, ignored.replace('anna', '%61nna'))).toBeNull();
});
