import { afterEach, expect, test } from 'vitest';
import { ask } from './prompt.js';

const terminals = [process.stdin, process.stderr];
const before = terminals.map(({ isTTY }) => isTTY);
afterEach(() => terminals.forEach((stream, index) => void (stream.isTTY = before[index] ?? false)));

test('a signal ends a question, and so the mode', async () => {
  for (const stream of terminals) stream.isTTY = true;
  const others = process.listeners('SIGTERM');
  const asked = ask('Your WebID: ');
  const own = process.listeners('SIGTERM').filter((listener) => !others.includes(listener));
  for (const listener of own) listener('SIGTERM');
  await expect(asked).rejects.toMatchObject({ kind: 'cancelled' });
  expect(process.listeners('SIGTERM')).toEqual(others);
});
