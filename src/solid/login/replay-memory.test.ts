import { describe, expect, test } from 'vitest';
import { ReplayMemory } from './replay-memory.js';

const limits = { lifetimeMs: 100, mostOfOne: 6 };

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
});
