import { expect, test } from 'vitest';
import { threadData } from './between-threads.js';

test.each([
  ['of a thread that has its data', {}, true],
  ['of a thread that was started without', undefined, false],
])('the data %s', (_, data, expected) => {
  expect(threadData.safeParse(data).success).toBe(expected);
});
