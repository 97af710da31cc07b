import { expect, test } from 'vitest';
import { serverSpelling } from './server-spelling.js';

test.each([
  ['http://localhost:3000/a/b.ttl', 'http://localhost:3000/a/b.ttl'],
  [
    'http://localhost:3000/localhost:3000-alice/x',
    'http://localhost:3000/localhost%3A3000-alice/x',
  ],
  ['https://h.example/a%3Ab?q=1#f', 'https://h.example/a%3Ab'],
  ['https://h.example/a@b,c=d', 'https://h.example/a%40b%2Cc%3Dd'],
  ['https://h.example/a%2fb%5cc', 'https://h.example/a%2Fb%5Cc'],
  ['https://h.example/a%2520b', 'https://h.example/a%2520b'],
  ['https://h.example/ä b', 'https://h.example/%C3%A4%20b'],
  ['https://h.example/100%', 'https://h.example/100%'],
])('the proof for %s names %s', (url, target) => {
  expect(serverSpelling(url)).toBe(target);
});
