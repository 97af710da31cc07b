import { DAY_MS } from '../../base/utc-time.js';
import type { CountedPod, StepFigure } from './release-record.js';

export interface StepRules {
  /** How many Pods must differ, at least, between any two figures. */
  changedPods: number;
  /** For how many days new figures are compared with a figure that was sent out. */
  perDays: number;
  minimumCohortPods: number;
}

export interface StepInput {
  value: number | null;
  pods: readonly CountedPod[];
  now: number;
}

/**
 * Bounds the record of one measure: some 300 figures of 1,000 Pods. A full record keeps its last
 * figure in force until older ones expire; the operator is warned before.
 */
export const MOST_RECORDED_PODS = 300_000;

/**
 * The history with the figure of this analysis as its last, if that may be sent out: when it
 * rests on enough Pods and at least `changedPods` of them differ from every figure sent before.
 * Otherwise the same history.
 */
export function releaseStep(
  history: readonly StepFigure[],
  { value, pods, now }: StepInput,
  rules: StepRules,
): readonly StepFigure[] {
  if (value === null || !hasEnoughPods(pods.length, rules)) return history;
  const current = new Map(pods.map(({ pod, digest }) => [pod, digest]));
  const compared = history.filter((figure) => isCompared(figure, now, rules));
  const entries = compared.reduce((sum, figure) => sum + figure.pods.size, current.size);
  if (entries > MOST_RECORDED_PODS) return history;
  // Newest first, as the newest figure is the likeliest to differ too little.
  const isTooClose = compared
    .toReversed()
    .some((figure) => countDiffering(figure.pods, current) < rules.changedPods);
  if (isTooClose) return history;
  const replaced = compared.map((figure) =>
    figure.replacedAt === null ? { ...figure, replacedAt: now } : figure,
  );
  return [...replaced, { value, releasedAt: now, replacedAt: null, pods: current }];
}

/**
 * How many more Pods have to change, at least, before a figure of these Pods can be sent out. An additional Pod is a
 * change too. Only the operator may know this number: from one call to the next, it tells single changes.
 */
export function podsToChange(
  history: readonly StepFigure[],
  pods: readonly CountedPod[],
  now: number,
  rules: StepRules,
): number {
  const current = new Map(pods.map(({ pod, digest }) => [pod, digest]));
  const { changedPods, minimumCohortPods } = rules;
  const missing = Math.max(changedPods, minimumCohortPods) - current.size;
  const same = history
    .filter((figure) => isCompared(figure, now, rules))
    .map((figure) => changedPods - countDiffering(figure.pods, current));
  return Math.max(0, missing, ...same);
}

/** The figure callers receive; `podCount` is the number of Pods that count in this analysis. */
export function figureInForce(
  history: readonly StepFigure[],
  podCount: number,
  rules: StepRules,
): StepFigure | null {
  const last = history.at(-1);
  if (last === undefined || !hasEnoughPods(podCount, rules)) return null;
  return hasEnoughPods(last.pods.size, rules) ? last : null;
}

function hasEnoughPods(count: number, { changedPods, minimumCohortPods }: StepRules): boolean {
  return count >= Math.max(changedPods, minimumCohortPods);
}

/** The days count from when the figure was last sent out, not first. */
export function isCompared(
  { replacedAt }: StepFigure,
  now: number,
  { perDays }: StepRules,
): boolean {
  return replacedAt === null || replacedAt > now - perDays * DAY_MS;
}

/** How many Pods differ in presence, sum or count. */
function countDiffering(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): number {
  const changed = [...other].filter(([pod, digest]) => one.get(pod) !== digest);
  const gone = [...one.keys()].filter((pod) => !other.has(pod));
  return changed.length + gone.length;
}
