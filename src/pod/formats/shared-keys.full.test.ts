import { expect, test } from 'vitest';
import { parseSealedEntries } from './shared-keys.js';

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
])('eight million characters of %s take no more than a moment', async (_, piece) => {
  const body = Buffer.from(piece.repeat(8_000_000 / piece.length));
  const started = process.cpuUsage();
  const reading = parseSealedEntries(body, 'https://pods.example/x');
  if (piece.startsWith('#')) expect(await reading).toEqual({ entries: [], useless: [] });
  else await expect(reading).rejects.toThrow('is not a Turtle document');
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(4000);
});
