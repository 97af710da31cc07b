import { describe, expect, test } from 'vitest';
import { ReplayMemory } from './replay-memory.js';

const limits = { lifetimeMs: 100, most: 10, mostOfOne: 6, leastOfOne: 1 };

describe('ReplayMemory', () => {
  test('lets each thing of each owner pass once, until its time is over', () => {
    let now = 0;
    const memory = new ReplayMemory(limits, () => now);
    expect(memory.use('alice', 'a')).toBe('first');
    expect(memory.use('bob', 'a')).toBe('first');
    now = 50;
    expect(memory.use('alice', 'b')).toBe('first');
    expect(memory.use('alice', 'a')).toBe('again');
    now = 99;
    expect(memory.use('alice', 'a')).toBe('again');
    now = 100;
    expect(memory.use('alice', 'a')).toBe('first');
    expect(memory.use('alice', 'b')).toBe('again');
  });

  test('refuses more of one owner, and when full only those who filled it', () => {
    let now = 0;
    const memory = new ReplayMemory(limits, () => now);
    const use = (owner: string, count: number) =>
      Array.from({ length: count }, (_, id) => memory.use(owner, `${id}`)).pop();
    expect(use('mallory', 6)).toBe('first');
    expect(memory.use('mallory', 'more')).toBe('full');
    expect(use('trudy', 4)).toBe('first');
    expect(memory.use('trudy', 'more')).toBe('full');
    expect(memory.use('mallory', '0')).toBe('again');
    expect(memory.use('alice', 'a')).toBe('first');
    expect(memory.use('alice', 'b')).toBe('full');
    now = 100;
    expect(memory.use('alice', 'b')).toBe('first');
    expect(memory.use('mallory', 'more')).toBe('first');
  });
});
