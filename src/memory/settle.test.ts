import { describe, expect, test } from 'vitest';
import type { CountedFigures } from '../analysis/summarise-cohort.js';
import type { Fate } from './fate.js';
import { emptyMemory, type Memory, type RememberedPod } from './memory.js';
import { type AskedPod, DAYS_OF_PATIENCE, type SettlingRules, settle } from './settle.js';

const root = 'https://pods.example/anna/';
const one = `${root}app/data/one.enc.ttl`;
const two = `${root}app/data/two.enc.ttl`;
const key = Buffer.alloc(32, 7);
const rules: SettlingRules = { digest: 'r', windowDays: null, partialCohort: false };
const TODAY = 20_000;

const figuresOf = (average: number): CountedFigures => {
  const measure = { average, count: 2 };
  return {
    observation_count: 2,
    measures: { systolic: measure, diastolic: measure, heart_rate: measure },
  };
};
const read: Fate = { kind: 'read', key, folder: null };
const silent: Fate = { kind: 'missing', because: 'silence' };
const odd: Fate = { kind: 'missing', because: 'answer' };
const late: Fate = { kind: 'not asked' };
const ended = (by: 'refusal' | 'key' | 'public'): Fate => ({ kind: 'ended', by });

function asked(fates: Record<string, Fate>, average: number | null): AskedPod {
  const figures = average === null ? null : figuresOf(average);
  return {
    root,
    spelling: root,
    fates: new Map(Object.entries(fates)),
    opened: new Map([['digest', 'own']]),
    figures,
  };
}

/** What is remembered after one analysis in which both files were read. */
function remembering(average = 120): Memory {
  return step(emptyMemory(), { [one]: read, [two]: read }, average, TODAY).memory;
}

function step(
  memory: Memory,
  fates: Record<string, Fate>,
  average: number | null,
  day = TODAY + 1,
  of = rules,
) {
  return settle({ before: memory, stored: memory }, [asked(fates, average)], of, day);
}

const podIn = ({ pods }: Memory): RememberedPod | undefined => pods.get(root);
const sharesIn = (memory: Memory) => [...(podIn(memory)?.shares.keys() ?? [])];

describe('what was read', () => {
  test('is remembered with its key and with the figures of the day', () => {
    const pod = podIn(remembering());
    expect(pod?.shares.get(one)).toEqual({ url: one, key, missingOn: [], wasNotAsked: false });
    expect(pod?.figures).toEqual({ ...figuresOf(120), day: TODAY, rules: 'r' });
    expect(pod?.keys).toEqual(new Map([['digest', 'own']]));
  });

  test('changes nothing else when it is the same on the same day', () => {
    const memory = remembering();
    expect(step(memory, { [one]: read, [two]: read }, 120, TODAY).memory).toEqual(memory);
  });
});

describe('a missing share', () => {
  test.each([
    ['without an answer', silent, [TODAY + 1]],
    ['with an odd answer', odd, [TODAY + 1]],
    ['for want of time', late, []],
  ])('%s lets its Pod count as before, whole', (_name, fate, days) => {
    const { counted, carried, memory } = step(remembering(), { [one]: fate, [two]: read }, 200);
    expect(counted.get(root)?.measures.systolic.average).toBe(120);
    expect(carried.get(root)).toBe(TODAY);
    expect(podIn(memory)?.shares.get(one)?.missingOn).toEqual(days);
    expect(podIn(memory)?.figures?.day).toBe(TODAY);
  });

  test('is let go after ten days in succession on which it was asked for, however far apart', () => {
    let memory = remembering();
    const fates = { [one]: silent, [two]: silent };
    for (let count = 1; count < DAYS_OF_PATIENCE; count += 1) {
      for (const day of [TODAY + 30 * count, TODAY + 30 * count]) {
        const settled = step(memory, fates, null, day);
        expect(settled.letGo).toEqual([]);
        memory = settled.memory;
      }
    }
    // A day on which there was no time for it is no evidence.
    memory = step(memory, { [one]: late, [two]: late }, null, TODAY + 900).memory;
    expect(sharesIn(memory)).toEqual([one, two]);
    const last = step(memory, fates, null, TODAY + 1000);
    expect(last.letGo).toEqual([one, two]);
    expect(last.counted.size).toBe(0);
    // Its chart stays, and nobody else gets to use its keys.
    expect(last.left).toEqual([]);
    expect(podIn(last.memory)?.keys).toEqual(new Map([['digest', 'own']]));
  });

  test('begins to count anew when it was read in between', () => {
    let memory = remembering();
    for (let day = 1; day < DAYS_OF_PATIENCE; day += 1) {
      memory = step(memory, { [one]: silent, [two]: read }, 1, TODAY + day).memory;
    }
    memory = step(memory, { [one]: read, [two]: read }, 121, TODAY + 10).memory;
    expect(podIn(memory)?.shares.get(one)?.missingOn).toEqual([]);
    expect(step(memory, { [one]: silent, [two]: read }, 1, TODAY + 11).letGo).toEqual([]);
  });

  test('that nothing is remembered of changes nothing', () => {
    const memory = step(emptyMemory(), { [one]: read }, 120, TODAY).memory;
    const settled = step(memory, { [one]: read, [two]: silent }, 125);
    expect(settled.counted.get(root)?.measures.systolic.average).toBe(125);
    expect(settled.carried.size).toBe(0);
    expect(sharesIn(settled.memory)).toEqual([one]);
  });

  test.each([
    ['made under other rules', { ...rules, digest: 'other' }, TODAY + 1],
    ['older than the window', { ...rules, windowDays: 30 }, TODAY + 31],
    ['not wanted', { ...rules, partialCohort: true }, TODAY + 1],
  ])('leaves what was read where the earlier figures are %s', (_name, other, day) => {
    const settled = step(remembering(), { [one]: silent, [two]: read }, 200, day, other);
    expect(settled.counted.get(root)?.measures.systolic.average).toBe(200);
    expect(settled.carried.size).toBe(0);
    expect(settled.incomplete).toEqual(other.partialCohort ? [] : [root]);
  });

  test('beside one that has ended leaves the earlier figures until it is read', () => {
    const memory = step(remembering(), { [one]: ended('refusal'), [two]: silent }, null).memory;
    expect(sharesIn(memory)).toEqual([two]);
    const settled = step(memory, { [two]: read }, 140, TODAY + 2);
    expect(settled.counted.get(root)?.measures.systolic.average).toBe(140);
    expect(settled.carried.size).toBe(0);
  });
});

describe('a share that has ended', () => {
  test.each([
    ['refusal', true],
    ['key', true],
    ['public', false],
  ] as const)('by %s is forgotten at once, but not its key', (by, goes) => {
    const settled = step(remembering(), { [one]: ended(by), [two]: ended(by) }, null);
    expect(settled.counted.size).toBe(0);
    expect(sharesIn(settled.memory)).toEqual([]);
    expect(podIn(settled.memory)?.figures).toBeNull();
    expect(podIn(settled.memory)?.keys.size).toBe(1);
    expect(settled.left).toEqual(goes ? [root] : []);
  });

  test('takes no chart with it while another share of the Pod stands', () => {
    const settled = step(remembering(), { [one]: ended('refusal'), [two]: read }, 130);
    expect(settled.left).toEqual([]);
    expect(settled.counted.get(root)?.measures.systolic.average).toBe(130);
  });

  test('that nothing is remembered of removes nobody’s chart', () => {
    expect(step(emptyMemory(), { [one]: ended('refusal') }, null).left).toEqual([]);
  });
});

describe('a Pod that is set aside', () => {
  test('stays as it is', () => {
    const memory = remembering();
    expect(settle({ before: memory, stored: memory }, [], rules, TODAY + 5)).toEqual({
      memory,
      counted: new Map(),
      carried: new Map(),
      incomplete: [],
      letGo: [],
      left: [],
    });
  });
});

describe('what another process stored in the meantime', () => {
  const before = remembering();
  const both = { [one]: read, [two]: read };

  test('stays ended', () => {
    const stored = step(before, { [one]: ended('refusal'), [two]: read }, 130).memory;
    const { memory } = settle({ before, stored }, [asked(both, 120)], rules, TODAY + 1);
    expect(sharesIn(memory)).toEqual([two]);
  });

  test('stays forgotten, with its keys and figures', () => {
    const stored = emptyMemory();
    const { memory } = settle({ before, stored }, [asked(both, 120)], rules, TODAY + 1);
    expect(memory).toEqual(stored);
  });

  test('stays released, and a new share is added', () => {
    const stored = { ...before, withheld: 'lost', podIds: new Map([['id', 'root']]) };
    const three = `${root}app/data/three.enc.ttl`;
    const more = asked({ ...both, [three]: read }, 125);
    const { memory } = settle({ before, stored }, [more], rules, TODAY + 1);
    expect(memory).toMatchObject({ withheld: 'lost', podIds: stored.podIds });
    expect(sharesIn(memory)).toEqual([one, two, three]);
  });
});
