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

/**
 * `hasDeeds`: whether strangers do anything but call; only then can time run out. `isSwapped`: honest Pods have each
 * other's readings.
 */
export async function live(
  plan: Plan,
  { hasDeeds, isSwapped }: { hasDeeds: boolean; isSwapped: boolean },
): Promise<LivedHistory> {
  const world = new World({ sharing: plan.sharing, analysis: plan.analysis });
  // Of two new files with one key, the one that is reached first counts: docs/threat-model.md.
  const isNested = plan.isNested && !plan.isShort;
  const honest = new HonestPods(world, { ...plan, isNested }, isSwapped);
  const strangers = new Strangers(world, honest);
  const analyses: (Analysis | null)[] = [];
  const memories = [world.memory];
  for (const values of plan.first) honest.record(values);
  for (const step of plan.steps) {
    world.day += step.days;
    if (step.recorded !== null) honest.record(step.recorded);
    const perform = () => {
      if (hasDeeds) for (const deed of step.deeds) strangers.perform(deed);
    };
    if (!step.areHonestFirst) perform();
    if (step.isConfirmed) world.memory = { ...world.memory, withheld: null };
    const end = honest.happen(step.honest, memories.at(-2) ?? null);
    if (step.areHonestFirst) perform();
    const isHard = hasDeeds && plan.isShort;
    const obstacles = {
      isUnkept: step.isUnkept,
      // An entry beside a shared folder that is not seen is like one that was removed: docs/threat-model.md.
      isSpoilt: isHard && step.isSpoilt && plan.layout !== 'both',
      reached: isHard ? step.reached : null,
    };
    const analysis = await world.analyse(callsOf(step), obstacles);
    if (analysis !== null && !step.isUnkept) honest.noteRead(analysis);
    analyses.push(analysis);
    end();
    memories.push(world.memory);
  }
  return { world, analyses };
}

function callsOf({ calls }: Step): Call[] {
  return calls.map(({ who, isStopped }) => ({ webId: CALLERS[who] ?? null, isStopped }));
}
