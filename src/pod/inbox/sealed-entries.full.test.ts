import { expect, test } from 'vitest';
import { readSealedEntries } from './sealed-entries.js';

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
  ['addresses that are not closed', '<a'],
  ['statements without an object', '<a><b>('],
  ['statements that nest', '<a> <b> [<c> '],
  ['objects', '<a> <b> <c>,'],
  ['objects that are not closed', '<a><b>"'],
  ['lines', 'a\n'],
])('eight million characters of %s take no more than a moment', (_, piece) => {
  const text = piece.repeat(8_000_000 / piece.length);
  const started = process.cpuUsage();
  const read = () => readSealedEntries(text, 'https://pods.example/x').entries;
  if (piece.startsWith('#')) expect(read()).toEqual([]);
  else expect(read).toThrow('is not a Turtle document');
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(4000);
});
