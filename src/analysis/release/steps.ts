import { DAY_MS } from '../../base/utc-time.js';
import type { CountedPod, StepFigure } from './release-record.js';

export interface StepRules {
  /** A new figure must differ in at least this number of Pods from each figure that it is compared with. */
  changedPods: number;
  /** For this number of days after a figure was replaced, new figures are compared with it. */
  perDays: number;
  minimumCohortPods: number;
}

export interface StepInput {
  value: number | null;
  pods: readonly CountedPod[];
  now: number;
}

/**
 * The limit of the record of one measure, enough for some 300 figures of 1,000 Pods. If the record is full, its last
 * figure stays in force until older figures expire. The operator is warned before.
 */
export const MOST_RECORDED_PODS = 300_000;

/**
 * Adds the figure of this analysis to the history if it may be sent out; otherwise returns the same history. It may
 * be sent out if it rests on enough Pods and differs in at least `changedPods` Pods from each figure it is compared
 * with.
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
  // Newest first, because the newest figure is the most likely one to differ too little.
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
 * How many more Pods have to change, at least, before a figure of these Pods can be sent out. A new Pod is a change
 * too. Only the operator may know this number, because from one call to the next it would reveal the change of a
 * single Pod.
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

/** The figure that callers receive; `podCount` is the number of Pods that count in this analysis. */
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

/** The days are counted from the time when the figure was replaced, because until then callers received it. */
export function isCompared(
  { replacedAt }: StepFigure,
  now: number,
  { perDays }: StepRules,
): boolean {
  return replacedAt === null || replacedAt > now - perDays * DAY_MS;
}

/** How many Pods are in only one of the two figures, or have another sum or count. */
function countDiffering(
  one: ReadonlyMap<string, number>,
  other: ReadonlyMap<string, number>,
): number {
  const changed = [...other].filter(([pod, digest]) => one.get(pod) !== digest);
  const gone = [...one.keys()].filter((pod) => !other.has(pod));
  return changed.length + gone.length;
}
