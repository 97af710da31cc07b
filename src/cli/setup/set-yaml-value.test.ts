import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { setYamlValue } from './set-yaml-value.js';

const text = ['# top', 'a:', '  # of b', '  b:', '  # of c', '  c: old # why', 'd: [40, 300]', ''];

test.each([
  ['a blank value', 'a.b', 'new', '  b: new'],
  ['a value with a comment behind it', 'a.c', 'new', '  c: new # why'],
  ['a value to blank', 'a.c', null, '  c: # why'],
  ['a number', 'a.b', 7, '  b: 7'],
  ['a WebID', 'a.b', 'http://localhost:3000/a/profile/card#me', undefined],
])('%s is set in its line, and nothing else moves', (_what, key, value, line) => {
  const changed = setYamlValue(text.join('\n'), key, value).split('\n');
  const wanted = line ?? `  b: ${value}`;
  expect(changed.filter((line, index) => line !== text[index])).toEqual([wanted]);
});

test.each(['007', 'yes: no', '# x', ' a ', '"', "it's", '*a', 'null', 'true', 'ü\n2', '12e3', ''])(
  '%j is read back as the text it was',
  (value) => {
    expect(parse(setYamlValue(text.join('\n'), 'a.b', value))).toMatchObject({ a: { b: value } });
  },
);

test('a value in quotes is replaced, also a blank one', () => {
  expect(setYamlValue('a:\n  b: ""\n', 'a.b', 'x')).toBe('a:\n  b: x\n');
  expect(setYamlValue("a:\n  b: 'y'\n", 'a.b', 'x')).toBe('a:\n  b: x\n');
});

test('a key that is not there is added', () => {
  const changed = setYamlValue('a:\n  b: 1\n', 'e.f', 'x');
  expect(parse(changed)).toEqual({ a: { b: 1 }, e: { f: 'x' } });
});
