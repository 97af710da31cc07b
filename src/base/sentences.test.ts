import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { shellWord } from './sentences.js';

test.each([
  "a'b",
  'a b',
  '$(echo x)',
  'a;b&c',
  '#a',
  '',
  '/tmp/config.yaml',
  'https://a.example/b#me',
])('[T36] a shell takes %j for one word, as it is', (text) => {
  const command = `printf '<%s>' ${shellWord(text)}`;
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(`<${text}>`);
});
