import fc from 'fast-check';
import { expect, test } from 'vitest';
import { examples } from './examples.js';
import { live } from './history.js';
import { PEOPLE, type Plan, plans } from './plan.js';
import { noneYet, sum } from './totals.js';
import { mirrored, withDeeds } from './twice.js';

interface Extent {
  histories: number;
  seed: number;
}

/**
 * Lives histories, always the same with the same seed. What fails is printed, cut down to the least that does, and
 * becomes one of the examples.
 */
export function testHistories({ histories, seed }: Extent): void {
  const { SIMULATION_SEED = seed, SIMULATION_HISTORIES = histories } = process.env;
  const [numRuns, from] = [Number(SIMULATION_HISTORIES), Number(SIMULATION_SEED)];
  const timeout = 120_000 + 2_000 * numRuns;

  test('everything that lasts is right after each analysis of a history', { timeout }, async () => {
    let totals = noneYet;
    const isRight = async (plan: Plan) => {
      totals = sum(totals, (await live(plan)).totals);
    };
    await fc.assert(fc.asyncProperty(plans, isRight), {
      seed: from,
      numRuns,
      // Cutting a failure down to the least that fails can take longer than all histories.
      plugins: [fc.interruptAfterTimeLimit(60_000 + 1_000 * numRuns)],
    });
    console.log(`${numRuns} histories from SIMULATION_SEED=${from}: ${JSON.stringify(totals)}`);
    for (const [name, total] of Object.entries(totals)) expect(total, name).toBeGreaterThan(0);
  });

  test.each(Object.entries(examples))('%s', { timeout }, async (_, plan) => {
    const { analyses, results } = (await live(plan)).totals;
    expect(analyses).toBe(plan.steps.length + 1);
    expect(results).toBeGreaterThanOrEqual((PEOPLE - 1) * analyses);
  });

  const twice = { seed: from, numRuns: Math.ceil(numRuns / 10) };

  test('swap: nobody else can tell who of two has which readings', { timeout }, async () => {
    const isSame = async (plan: Plan) => {
      const [one, other] = [await live(mirrored(plan, false)), await live(mirrored(plan, true))];
      expect(other.told).toEqual(one.told);
      expect(other.log).toEqual(one.log);
    };
    await fc.assert(fc.asyncProperty(plans, isSame), twice);
  });

  test('apart: with strangers everybody counts and is served as without', { timeout }, async () => {
    const isSame = async (plan: Plan) => {
      const without = await live(withDeeds(plan, false));
      expect((await live(withDeeds(plan, true))).standings).toEqual(without.standings);
    };
    await fc.assert(fc.asyncProperty(plans, isSame), twice);
  });

  test('a history is the same at each play', { timeout }, async () => {
    for (const plan of fc.sample(plans, { seed: from, numRuns: 4 })) {
      expect((await live(plan)).log).toEqual((await live(plan)).log);
    }
  });
}
