import { describe, expect, test } from 'vitest';
import { ReplayMemory } from './replay-memory.js';

describe('ReplayMemory', () => {
  test('lets each thing pass once, until its time is over', () => {
    let now = 0;
    const memory = new ReplayMemory(100, 10, () => now);
    expect(memory.use('a')).toBe(true);
    now = 50;
    expect(memory.use('b')).toBe(true);
    expect(memory.use('a')).toBe(false);
    now = 99;
    expect(memory.use('a')).toBe(false);
    now = 100;
    expect(memory.use('a')).toBe(true);
    expect(memory.use('b')).toBe(false);
  });

  test('when full refuses what is new and forgets nothing', () => {
    let now = 0;
    const memory = new ReplayMemory(100, 2, () => now);
    expect([memory.use('a'), memory.use('b'), memory.use('c')]).toEqual([true, true, false]);
    expect([memory.use('a'), memory.use('b')]).toEqual([false, false]);
    now = 100;
    expect(memory.use('c')).toBe(true);
  });
});
