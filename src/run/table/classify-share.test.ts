import { expect, test } from 'vitest';
import { configSchema } from '../../config/schema.js';
import { classifyShare, shareRules } from './classify-share.js';

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
  ['an export', `${appOf(`${server}/anna`)}data/blood_pressure/bp.csv`, 'other name'],
  ['an export elsewhere', 'https://nowhere.example/ben/app/data/blood_pressure/bp.csv', 'ignored'],
  ['a file in no Pod', `${server}/data/blood_pressure/bp_1.json.enc.ttl`, 'refused'],
  [
    'a file where anybody may write',
    `${appOf(`${server}/anna`)}shared/data/blood_pressure/bp_1.json.enc.ttl`,
    'refused',
  ],
])('%s', (_, url, kind) => {
  expect(kindOf(url)).toBe(kind);
});

test('what has one of several path_fragments is data; without any everything is, but for what never is', () => {
  expect(kindOf(fileOf(`${server}/anna`), { path_fragments: ['weight', 'pressure'] })).toBe('data');
  const kinds = [
    `${appOf(`${server}/anna`)}data/weight/w_1.json.enc.ttl`,
    fileOf(`${server}/analyser`),
    `${fileOf(`${server}/anna`)}.acl`,
  ].map((url) => kindOf(url, { path_fragments: [] }));
  expect(kinds).toEqual(['data', 'ignored', 'ignored']);
});

test('a Pod that the operator leaves out, by its WebID or its root, and no other', () => {
  for (const place of [`${server}/anna/profile/card#me`, `${server}/anna/`]) {
    const data = { excluded_pods: [place] };
    expect(kindOf(fileOf(`${server}/anna`), data)).toBe('excluded');
    expect(kindOf(fileOf(`${server}/anna2`), data)).toBe('data');
  }
});
