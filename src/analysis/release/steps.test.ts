import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS as day } from '../../base/utc-time.js';
import type { CountedPod, StepFigure } from './release-record.js';
import {
  figureInForce,
  MOST_RECORDED_PODS,
  podsToChange,
  releaseStep,
  type StepRules,
} from './steps.js';

const rules: StepRules = { changedPods: 3, perDays: 365, minimumCohortPods: 0 };

/** What each Pod says, by its name; the figure is not looked at. */
type Cohort = Readonly<Record<string, number>>;

function counted(cohort: Cohort): CountedPod[] {
  return Object.entries(cohort).map(([pod, digest]) => ({ pod, digest, average: 120 }));
}

function after(
  history: readonly StepFigure[],
  cohort: Cohort,
  { now = 0, value = 120, ...changed }: Partial<StepRules> & { now?: number; value?: number } = {},
) {
  return releaseStep(history, { value, pods: counted(cohort), now }, { ...rules, ...changed });
}

const five: Cohort = { a: 1, b: 1, c: 1, d: 1, e: 1 };

describe('A figure in steps', () => {
  const first = after([], five, { value: 100 });

  test('is null until enough Pods count', () => {
    const none: readonly StepFigure[] = [];
    expect(after(none, { a: 1, b: 1 })).toBe(none);
    expect(after(none, five, { minimumCohortPods: 6 })).toBe(none);
    expect(figureInForce(none, 5, rules)).toBeNull();
    expect(figureInForce(first, 5, rules)?.value).toBe(100);
  });

  test('is null again while too few count, and then the last one', () => {
    expect(figureInForce(first, 2, rules)).toBeNull();
    expect(figureInForce(first, 3, rules)?.value).toBe(100);
    expect(figureInForce(first, 5, { ...rules, minimumCohortPods: 6 })).toBeNull();
  });

  test('stays until enough Pods have joined, left or changed', () => {
    expect(after(first, { ...five, f: 1 })).toBe(first);
    expect(after(first, { ...five, f: 1, a: 2 })).toBe(first);
    const second = after(first, { b: 1, c: 1, d: 1, e: 2, f: 1 }, { value: 101, now: 1 });
    expect(second.map(({ value, replacedAt }) => [value, replacedAt])).toEqual([
      [100, 1],
      [101, null],
    ]);
  });

  test('is compared with every figure before it, and not with the last alone', () => {
    const second = after(first, { ...five, f: 1, g: 1, h: 1 });
    expect(second).toHaveLength(2);
    // The three leave again, and one stranger stays: three from the last, one from the first.
    expect(after(second, { ...five, i: 1 })).toBe(second);
    expect(after(second, { ...five, i: 1, a: 2, b: 2 })).toHaveLength(3);
  });

  test('is compared for per_days after it was last sent out', () => {
    const second = after(first, { ...five, f: 1, g: 1, h: 1 }, { now: 300 * day });
    const back = { ...five, i: 1 };
    expect(after(second, back, { now: 400 * day })).toBe(second);
    expect(after(second, back, { now: 665 * day - 1 })).toBe(second);
    const third = after(second, back, { now: 665 * day });
    // What is no longer compared with is no longer kept.
    expect(third).toHaveLength(2);
  });

  test('stays when so much would have to be kept that the record is full', () => {
    const many = (digest: number): CountedPod[] =>
      Array.from({ length: MOST_RECORDED_PODS / 2 }, (_, index) => ({
        pod: String(index),
        digest,
        average: 120,
      }));
    const then = (history: readonly StepFigure[], digest: number, now = 0) =>
      releaseStep(history, { value: 120, pods: many(digest), now }, rules);
    const second = then(then([], 1), 2);
    expect(second.length).toBe(2);
    // Compared as booleans: to print such a history takes minutes.
    expect(then(second, 3) === second).toBe(true);
    expect(then(second, 3, 364 * day) === second).toBe(true);
    expect(then(second, 3, 365 * day).length).toBe(2);
  });
});

const names = Array.from({ length: 12 }, (_, index) => `pod ${index}`);

/** Joins, leaves, changes, and returns to what was before, of a dozen Pods. */
const step = fc.record({
  changes: fc.dictionary(fc.constantFrom(...names), fc.option(fc.nat({ max: 2 })), {
    maxKeys: 6,
  }),
  returnsTo: fc.option(fc.nat(), { freq: 4 }),
  days: fc.nat({ max: 40 }),
});

test('no two figures that are ever sent out differ by fewer than k Pods', () => {
  let releases = 0;
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 6 }), fc.array(step, { maxLength: 40 }), (k, steps) => {
      const changed = { changedPods: k, perDays: 100 };
      let history: readonly StepFigure[] = [];
      let now = 0;
      const states: Cohort[] = [{}];
      // What callers saw and when, on its own: the cohort behind each figure, until when it was sent.
      const seen = new Map<number, { cohort: Cohort; last: number }>();
      for (const [index, { changes, returnsTo, days }] of steps.entries()) {
        now += days * day;
        const from = returnsTo === null ? states.at(-1) : states[returnsTo % states.length];
        const cohort = Object.fromEntries(
          Object.entries({ ...from, ...changes }).flatMap(([pod, value]) =>
            value === null ? [] : [[pod, value] as const],
          ),
        );
        states.push(cohort);
        history = after(history, cohort, { ...changed, now, value: index });
        const figure = figureInForce(history, Object.keys(cohort).length, { ...rules, ...changed });
        if (figure === null) continue;
        const before = seen.get(figure.value);
        if (before === undefined) {
          expect(figure.value).toBe(index);
          for (const other of seen.values()) {
            if (other.last <= now - 100 * day) continue;
            expect(differences(other.cohort, cohort)).toBeGreaterThanOrEqual(k);
          }
          releases += 1;
        }
        seen.set(figure.value, { cohort: before?.cohort ?? cohort, last: now });
      }
    }),
    { numRuns: 500, seed: 19 },
  );
  // Said of something: with these numbers, hundreds of second figures.
  expect(releases).toBeGreaterThan(600);
});

function differences(one: Cohort, other: Cohort): number {
  const pods = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...pods].filter((pod) => one[pod] !== other[pod]).length;
}

test.each<[string, readonly StepFigure[], Cohort, Partial<StepRules>, number]>([
  ['without a figure, as many as are missing', [], { a: 1 }, {}, 2],
  ['without a figure, up to minimumCohortPods', [], five, { minimumCohortPods: 9 }, 4],
  ['of those behind the last figure, all', after([], five), five, {}, 3],
  ['after a change and a newcomer', after([], five), { ...five, a: 2, f: 1 }, {}, 1],
  ['none where a figure can go out', after([], five), { ...five, a: 2, b: 2, f: 1 }, {}, 0],
])('The Pods that have to change: %s', (_, history, cohort, changed, more) => {
  const of = { ...rules, ...changed };
  expect(podsToChange(history, counted(cohort), 0, of)).toBe(more);
  expect(releaseStep(history, { value: 1, pods: counted(cohort), now: 0 }, of) !== history).toBe(
    more === 0,
  );
});
