import type { PodResult } from './pod-result.js';

/** One or two are their owners' or their servers' own trouble. */
const MANY_PODS = 3;

/**
 * Of how many Pods something could be missing, because servers gave no answers; what a server
 * refuses is as its owner wants it. `silentPods` are those whose folder could not be listed.
 */
export function countUnanswered(
  pods: readonly Pick<PodResult, 'owner' | 'unanswered'>[],
  silentPods: readonly string[],
): number {
  const silent = pods.filter(({ unanswered }) => unanswered > 0);
  return new Set([...silentPods, ...silent.map(({ owner }) => owner.root)]).size;
}

/** Whether the cohort figures rest on less than they should. */
export function isPartial(unansweredPods: number): boolean {
  return unansweredPods >= MANY_PODS;
}

export function partialWarnings(unansweredPods: number): string[] {
  if (!isPartial(unansweredPods)) return [];
  return [
    `The cohort is partial: files of ${unansweredPods} Pods could not be had, because their servers gave no answers.`,
  ];
}
