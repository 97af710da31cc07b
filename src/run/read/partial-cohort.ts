import type { Shares } from '../discover/shared-files.js';
import type { PodResult } from './pod-result.js';

/** Fewer Pods than this are a problem of their owners or servers. */
const MANY_PODS = 3;

/**
 * How many Pods may lack files because servers gave no answer; refused files do not count, as their
 * owners want it so.
 */
export function countUnanswered(
  pods: readonly PodResult[],
  unlistedFolders: Shares['unlistedFolders'],
): number {
  const silent = pods.filter(({ unanswered }) => unanswered > 0).map(({ owner }) => owner.root);
  const unlisted = unlistedFolders.filter(({ isUnanswered }) => isUnanswered);
  return new Set([...silent, ...unlisted.map(({ root }) => root)]).size;
}

/** Whether the cohort figures rest on fewer Pods than they should. */
export function isPartial(unansweredPods: number): boolean {
  return unansweredPods >= MANY_PODS;
}

export function partialWarnings(unansweredPods: number): string[] {
  if (!isPartial(unansweredPods)) return [];
  return [
    `The cohort is partial: files of ${unansweredPods} Pods could not be fetched, because their servers gave no answer.`,
  ];
}
