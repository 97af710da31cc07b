import { describe, expect, test } from 'vitest';
import { ReplayMemory } from './replay-memory.js';

const limits = { lifetimeMs: 100, mostOfOne: 6 };

describe('ReplayMemory', () => {
  test('[T14] lets each thing of each owner pass once, until its time is over', () => {
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

  test('[T14] holds so many of one owner and no more, which nobody else notices, and has room when one is over', () => {
    let now = 0;
    const memory = new ReplayMemory({ lifetimeMs: 100, mostOfOne: 2 }, () => now);
    const useAll = (...ids: string[]) => ids.map((id) => memory.use('alice', id));
    expect(useAll('a')).toEqual(['first']);
    now = 50;
    expect(useAll('b', 'c', 'a')).toEqual(['first', 'full', 'again']);
    expect(memory.use('bob', 'a')).toBe('first');
    now = 100;
    expect(useAll('c', 'd')).toEqual(['first', 'full']);
    now = 300;
    expect(useAll('a', 'b', 'c')).toEqual(['first', 'first', 'full']);
  });
});
