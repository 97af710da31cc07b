import { expect, test } from 'vitest';
import { keptFaults } from './kept-faults.js';
import { readSource, ruleNumbers, testsByRule } from './read-rules.js';

const numbers = ruleNumbers();
const tests = testsByRule();

test('each rule has its number once, a test that says so, and a fault that is kept', () => {
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers).toEqual([...new Set(numbers)]);
  expect([...tests.keys()].toSorted()).toEqual(numbers.toSorted());
  expect([...new Set(keptFaults.map(({ rule }) => rule))].toSorted()).toEqual(numbers.toSorted());
});

test.each(keptFaults)(
  'the text that the fault of $rule changes stands once in $file',
  ({ file, before, after }) => {
    expect(readSource(file).split(before)).toHaveLength(2);
    expect(after).not.toBe(before);
  },
);
