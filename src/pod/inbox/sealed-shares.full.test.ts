import { expect, test } from 'vitest';
import { readSealedShares } from './sealed-shares.js';

test.each([
  ['letters', 'a'],
  ['opening brackets', '<'],
  ['quotation marks', '"'],
  ['quotes that end in nothing', '"x\\'],
  ['prefixes', '@prefix'],
  ['prefixes with room', '@prefix     '],
  ['colons', 'a:'],
  ['words with dots', 'a.'],
  ['words and dots', 'a.....'],
  ['long strings', '"""x'],
  ['apostrophes that end in nothing', "'x\\"],
  ['brackets', '[('],
  ['comments', '#"\n'],
  ['addresses', '<a> '],
])('five million characters of %s take no more than a moment', (_, piece) => {
  const text = piece.repeat(5_000_000 / piece.length);
  const started = process.cpuUsage();
  const read = () => readSealedShares(text, 'https://pods.example/x').shares;
  if (piece.startsWith('#')) expect(read()).toEqual([]);
  else expect(read).toThrow('it is not a Turtle document');
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
});
