import { expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.js';

const MB = 1_048_576;

test('what does not fit waits until room is given back', () => {
  const budget = new ByteBudget(10 * MB);
  const [first, second] = [budget.open(), budget.open()];
  const granted: string[] = [];
  expect(first.take(8 * MB, () => granted.push('first'))).toBe(true);
  expect(second.take(4 * MB, () => granted.push('second'))).toBe(false);
  expect(second.isWaiting).toBe(true);
  first.release();
  expect(granted).toEqual(['second']);
  expect(second.isWaiting).toBe(false);
});

test('the oldest goes on, however long it turns out, so that no two wait for each other', () => {
  const budget = new ByteBudget(10 * MB);
  const [first, second] = [budget.open(), budget.open()];
  const never = () => undefined;
  expect([first.take(5 * MB, never), second.take(5 * MB, never)]).toEqual([true, true]);
  expect([first.take(5 * MB, never), second.take(5 * MB, never)]).toEqual([true, false]);
  first.release();
  expect(second.isWaiting).toBe(false);
  second.release();
  const third = budget.open();
  expect(budget.open().take(10 * MB, never)).toBe(true);
  expect(third.take(20 * MB, never)).toBe(true);
});

test('one that is given up while it waits takes nothing', () => {
  const budget = new ByteBudget(10 * MB);
  const [first, second, third] = [budget.open(), budget.open(), budget.open()];
  const granted: string[] = [];
  first.take(10 * MB, () => undefined);
  second.take(10 * MB, () => granted.push('second'));
  third.take(10 * MB, () => granted.push('third'));
  second.release();
  first.release();
  expect(granted).toEqual(['third']);
});
