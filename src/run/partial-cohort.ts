import type { PodResult } from './pod-result.js';

/** One or two are their owners' or their servers' own trouble. */
const MANY_PODS = 3;

/**
 * Whether the cohort figures rest on less than they should, because servers gave no answers; what
 * a server refuses is as its owner wants it.
 */
export function isPartial(pods: readonly Pick<PodResult, 'unanswered'>[]): boolean {
  return countUnanswered(pods) >= MANY_PODS;
}

/** The warning of the run. */
export function partialWarnings(pods: readonly Pick<PodResult, 'unanswered'>[]): string[] {
  if (!isPartial(pods)) return [];
  const count = countUnanswered(pods);
  return [
    `The cohort is partial: files of ${count} Pods could not be had, because their servers gave no answers.`,
  ];
}

function countUnanswered(pods: readonly Pick<PodResult, 'unanswered'>[]): number {
  return pods.filter(({ unanswered }) => unanswered > 0).length;
}
