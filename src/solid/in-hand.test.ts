import { expect, onTestFinished, test } from 'vitest';
import { createInHand, noteInHand, readInHand, spareNothing } from './in-hand.js';
import { readTurtle, visitTurtle } from './turtle.js';

const url = 'https://pods.example/mallory/app/data/ü.enc.ttl';
const shared = createInHand();
const begin = () => noteInHand(shared);
const how = { mostStatements: 1 };

test('a thread that is begun anew spares the document in which the last one ended, and no other', async () => {
  onTestFinished(spareNothing);
  begin();
  let left = Buffer.alloc(0);
  const noted: string[] = [];
  await visitTurtle(
    '<a> <b> <c>.',
    url,
    () => {
      noted.push(readInHand(shared));
      left = Buffer.from(Buffer.from(shared));
    },
    how,
  );
  expect(noted).toEqual([url]);
  expect(readInHand(shared)).toBe('');
  await expect(readTurtle('<a> <b>', url)).rejects.toThrow();
  expect(readInHand(shared)).toBe('');

  // As it stands when the thread ends in the middle.
  Buffer.from(shared).set(left);
  begin();
  expect(readInHand(shared)).toBe('');
  await expect(readTurtle('<a> <b> <c>.', url)).rejects.toThrow(
    `${url} is left out of this analysis: it was being read when the thread of the last one ended.`,
  );
  await readTurtle('<a> <b> <c>.', `${url}l`);
  spareNothing();
  await readTurtle('<a> <b> <c>.', url);
});
