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

  test('refuses more of one owner, and of nobody else', () => {
    let now = 0;
    const memory = new ReplayMemory(limits, () => now);
    const ids = Array.from({ length: 6 }, (_, id) => `${id}`);
    expect(ids.map((id) => memory.use('mallory', id))).toEqual(Array(6).fill('first'));
    expect(memory.use('mallory', 'more')).toBe('full');
    expect(memory.use('mallory', '0')).toBe('again');
    expect(memory.use('alice', '0')).toBe('first');
    now = 100;
    expect(memory.use('mallory', 'more')).toBe('first');
  });
});
