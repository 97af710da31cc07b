import { describe, expect, test } from 'vitest';
import type { CountedFigures } from '../analysis/summarise-cohort.js';
import { emptyMemory, type Memory, type RememberedPod } from './memory.js';
import { type AskedPod, DAYS_OF_PATIENCE, type SettlingRules, settle } from './settle.js';
import type { ShareFate } from './share-fates.js';

const root = 'https://pods.example/anna/';
const one = `${root}app/data/one.enc.ttl`;
const two = `${root}app/data/two.enc.ttl`;
const key = Buffer.alloc(32, 7);
const rules: SettlingRules = { digest: 'r', windowDays: null, partialCohort: false };
const TODAY = 20_000;

const figuresOf = (average: number): CountedFigures => {
  const measure = { sum: 200 * average, count: 2 };
  return {
    observation_count: 2,
    measures: { systolic: measure, diastolic: measure, heart_rate: measure },
  };
};
const read: ShareFate = { kind: 'read', key };
const silent: ShareFate = { kind: 'missing', isCausedByOthers: false };
const foreign: ShareFate = { kind: 'missing', isCausedByOthers: true };
const late: ShareFate = { kind: 'not asked' };
const ended: ShareFate = { kind: 'ended' };
const empty: ShareFate = { kind: 'empty' };

function asked(fates: Record<string, ShareFate>, average: number | null): AskedPod {
  const figures = average === null ? null : figuresOf(average);
  const all = new Map(Object.entries(fates));
  return {
    root,
    digest: 'anna',
    fates: all,
    isUnfinished: [...all.values()].some(({ kind }) => kind === 'not asked'),
    claims: new Map([['digest', 'own']]),
    figures,
  };
}

/** What is remembered after one analysis in which both files were read. */
function remembering(average = 120): Memory {
  return step(emptyMemory(), { [one]: read, [two]: read }, average, TODAY).memory;
}

function step(
  memory: Memory,
  fates: Record<string, ShareFate>,
  average: number | null,
  day = TODAY + 1,
  of = rules,
) {
  return settle(memory, [asked(fates, average)], of, day);
}

const podIn = ({ pods }: Memory): RememberedPod | undefined => pods.get(root);
const sharesIn = (memory: Memory) => [...(podIn(memory)?.shares.keys() ?? [])];
/** The average of the systolic readings with which the Pod counts. */
const countedIn = ({ counted }: ReturnType<typeof settle>) => {
  const measure = counted.get(root)?.measures.systolic;
  return measure === undefined ? null : measure.sum / measure.count / 100;
};

describe('what was read', () => {
  test('is remembered with its key and with the figures of the day', () => {
    const memory = remembering();
    const pod = podIn(memory);
    expect(pod?.shares.get(one)).toEqual({ url: one, key, missingOn: [] });
    expect(pod?.figures).toEqual({ ...figuresOf(120), day: TODAY, rules: 'r' });
    expect(memory.claims).toEqual(new Map([['anna', new Map([['digest', 'own']])]]));
  });

  test('changes nothing else when it is the same on the same day', () => {
    const memory = remembering();
    expect(step(memory, { [one]: read, [two]: read }, 120, TODAY).memory).toEqual(memory);
  });
});

describe('a missing share', () => {
  test.each([
    ['without an answer', silent, [TODAY + 1]],
    ['because of others', foreign, [TODAY + 1]],
    ['for want of time', late, []],
  ])('%s lets its Pod count as before, whole', (_name, fate, days) => {
    const settled = step(remembering(), { [one]: fate, [two]: read }, 200);
    expect(countedIn(settled)).toBe(120);
    expect(settled.carried.get(root)).toBe(TODAY);
    expect(podIn(settled.memory)?.shares.get(one)?.missingOn).toEqual(days);
    expect(podIn(settled.memory)?.figures?.day).toBe(TODAY);
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
    expect(sharesIn(last.memory)).toEqual([]);
    expect(last.counted.size).toBe(0);
    // Nobody else gets to use its keys.
    expect(last.memory.claims).toEqual(memory.claims);
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
    expect(countedIn(settled)).toBe(125);
    expect(settled.carried.size).toBe(0);
    expect(sharesIn(settled.memory)).toEqual([one]);
  });

  test('of a Pod whose earlier figures are older than the window keeps it out', () => {
    const window = { ...rules, windowDays: 30 };
    const last = step(remembering(), { [one]: silent, [two]: read }, 200, TODAY + 30, window);
    expect(countedIn(last)).toBe(120);
    const settled = step(remembering(), { [one]: silent, [two]: read }, 200, TODAY + 31, window);
    expect(settled).toMatchObject({ notIn: [root], outdated: [], carried: new Map() });
    expect(countedIn(settled)).toBeNull();
  });

  test('of a Pod that counted under other rules is told as such', () => {
    const other = { ...rules, digest: 'other' };
    const settled = step(remembering(), { [one]: silent, [two]: read }, 200, TODAY + 1, other);
    expect(settled).toMatchObject({ notIn: [], outdated: [root] });
    expect(countedIn(settled)).toBeNull();
  });

  test('leaves what was read where partial Pods are wanted', () => {
    const partial = { ...rules, partialCohort: true };
    const settled = step(remembering(), { [one]: silent, [two]: read }, 200, TODAY + 1, partial);
    expect(settled).toMatchObject({ notIn: [], outdated: [], carried: new Map() });
    expect(countedIn(settled)).toBe(200);
  });
});

describe('what there was no time for', () => {
  test('keeps a new Pod out until all was asked, and the wait is counted', () => {
    const first = step(emptyMemory(), { [one]: read, [two]: late }, 120);
    expect(countedIn(first)).toBeNull();
    expect(first.notIn).toEqual([root]);
    const second = step(first.memory, { [one]: late, [two]: late }, null, TODAY + 1);
    expect(podIn(second.memory)).toMatchObject({ waited: 2, figures: null });
    const third = step(second.memory, { [one]: read, [two]: read }, 130, TODAY + 2);
    expect(countedIn(third)).toBe(130);
    expect(podIn(third.memory)?.waited).toBe(0);
  });
});

describe('a share that has ended', () => {
  test('is forgotten at once, but not its key, and the Pod with the last one', () => {
    const settled = step(remembering(), { [one]: ended, [two]: ended }, null);
    expect(settled.counted.size).toBe(0);
    expect(settled.memory.pods.size).toBe(0);
    expect(settled.memory.claims.get('anna')?.size).toBe(1);
  });

  test('leaves the Pod while another share of it stands', () => {
    const settled = step(remembering(), { [one]: ended, [two]: read }, 130);
    expect(sharesIn(settled.memory)).toEqual([two]);
    expect(countedIn(settled)).toBe(130);
  });

  test.each([
    ['gives no answer', silent],
    ['is not asked', late],
  ])('takes the figures with it: the Pod is out while what is left %s', (_name, fate) => {
    let settled = step(remembering(), { [one]: ended, [two]: fate }, null);
    expect(countedIn(settled)).toBeNull();
    expect(settled.carried.size).toBe(0);
    settled = step(settled.memory, { [two]: fate }, null, TODAY + 2);
    expect(countedIn(settled)).toBeNull();
    expect(settled.notIn).toEqual([root]);
    expect(countedIn(step(settled.memory, { [two]: read }, 140, TODAY + 3))).toBe(140);
  });

  test('lets the rest count that its owner has overwritten, or others have spoilt', () => {
    const three = `${root}app/data/three.enc.ttl`;
    const memory = step(remembering(), { [one]: read, [two]: read, [three]: read }, 120).memory;
    const others = { [two]: empty, [three]: foreign };
    expect(countedIn(step(memory, { [one]: ended, ...others }, 110, TODAY + 2))).toBe(110);
  });

  test('that nothing is remembered of changes nothing', () => {
    expect(step(emptyMemory(), { [one]: ended }, null).memory.pods.size).toBe(0);
  });
});

test('a share that is set aside stays, and takes the figures with it once', () => {
  const aside: ShareFate = { kind: 'set aside' };
  let settled = step(remembering(), { [one]: aside, [two]: silent }, null);
  expect(countedIn(settled)).toBeNull();
  expect(sharesIn(settled.memory)).toEqual([one, two]);
  settled = step(settled.memory, { [one]: aside, [two]: read }, 140, TODAY + 2);
  expect(countedIn(settled)).toBe(140);
  settled = step(settled.memory, { [one]: aside, [two]: silent }, null, TODAY + 3);
  expect(countedIn(settled)).toBe(140);
  // Read again, and set aside again.
  settled = step(settled.memory, { [one]: read, [two]: read }, 150, TODAY + 4);
  expect(countedIn(step(settled.memory, { [one]: aside, [two]: silent }, null))).toBeNull();
});

test('a share in whose place its owner has put something else is answered, and stays', () => {
  const settled = step(remembering(), { [one]: empty, [two]: read }, 150);
  expect(countedIn(settled)).toBe(150);
  expect(sharesIn(settled.memory)).toEqual([one, two]);
});

test('a share in whose place its owner has put something else counts its missing days anew', () => {
  const memory = step(remembering(), { [one]: silent, [two]: read }, 1).memory;
  expect(podIn(memory)?.shares.get(one)?.missingOn).toHaveLength(1);
  const after = step(memory, { [one]: empty, [two]: read }, 150, TODAY + 2).memory;
  expect(podIn(after)?.shares.get(one)?.missingOn).toEqual([]);
});

test('a Pod that shares something new counts with it, though its remembered shares were not asked for', () => {
  const three = `${root}app/data/three.enc.ttl`;
  const settled = step(remembering(), { [three]: read }, 150);
  expect(countedIn(settled)).toBe(150);
  expect(sharesIn(settled.memory)).toEqual([one, two, three]);
});

test('a key that was a Pod’s own stays so, whoever else claims it', () => {
  const again = {
    ...asked({ [one]: read }, 120),
    claims: new Map([['digest', 'refused' as const]]),
  };
  const { memory } = settle(remembering(), [again], rules, TODAY + 1);
  expect(memory.claims.get('anna')).toEqual(new Map([['digest', 'own']]));
});

test('a Pod of which nothing was asked stays as it is', () => {
  const memory = remembering();
  expect(settle(memory, [], rules, TODAY + 5)).toEqual({
    memory,
    counted: new Map(),
    carried: new Map(),
    notIn: [],
    outdated: [],
    letGo: [],
  });
});
