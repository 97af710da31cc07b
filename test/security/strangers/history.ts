import { webIdOfRoot } from '../../../src/pod/addresses.js';
import { STRANGERS, Strangers } from './deeds.js';
import { HONEST, HonestPods } from './honest-pods.js';
import type { Plan, Step } from './plan.js';
import { type Analysis, type Call, HOME, World } from './world.js';

export interface LivedHistory {
  world: World;
  /** Of each step; null where all calls were stopped. */
  analyses: readonly (Analysis | null)[];
}

/** Everybody who may be called for; run-once and somebody without a Pod come last. */
const CALLERS = [
  ...[...HONEST, ...STRANGERS].map(webIdOfRoot),
  null,
  webIdOfRoot(`${HOME}/nobody/`),
];

/** `hasDeeds`: whether strangers do anything but call. `isSwapped`: honest Pods have each other's readings. */
export async function live(
  plan: Plan,
  { hasDeeds, isSwapped }: { hasDeeds: boolean; isSwapped: boolean },
): Promise<LivedHistory> {
  const { sharing, analysis } = plan;
  const world = new World({ sharing, analysis });
  const honest = new HonestPods(world, plan, isSwapped);
  const strangers = new Strangers(world, honest);
  const analyses: (Analysis | null)[] = [];
  const memories = [world.memory];
  for (const values of plan.first) honest.record(values);
  for (const step of plan.steps) {
    world.day += step.days;
    if (step.recorded !== null) honest.record(step.recorded);
    if (hasDeeds) for (const deed of step.deeds) strangers.perform(deed);
    if (step.isConfirmed) world.memory = { ...world.memory, withheld: null };
    const end = honest.happen(step.honest, memories.at(-2) ?? null);
    // An address that a stranger names makes a Pod late of which nothing was ever read: docs/threat-model.md.
    const isShort = step.isShort && HONEST.every((root) => world.memory.pods.has(root));
    analyses.push(await world.analyse(callsOf(step), { isUnkept: step.isUnkept, isShort }));
    end();
    memories.push(world.memory);
  }
  return { world, analyses };
}

function callsOf({ calls }: Step): Call[] {
  return calls.map(({ who, isStopped }) => ({ webId: CALLERS[who] ?? null, isStopped }));
}
