import { isFor } from '../../pod/outcome.js';
import { reasons, type ShareAfter } from '../../pod/reasons.js';
import { askedOf, type Folder, filesOf, isNamed, type Pod, type Row } from './row.js';

/** What becomes of the share of a file, in the words of reasons.ts; `kept`: it was read, and is remembered with the key that opened it. */
export type Fate = 'kept' | ShareAfter;

export function fateOf({ outcome, known }: Pick<Row, 'outcome' | 'known'>): Fate {
  if (outcome.kind === 'read') return 'kept';
  return known === null ? 'never read' : reasons[outcome.because].share;
}

/** Whether its owner took it back: ended its access and removed its entry, or deleted it from the folder that shares it. */
export function isRevoked(row: Row): boolean {
  const { mayHaveEntry, isListed, folder, outcome } = row;
  const isEnding = outcome.kind === 'not read' && reasons[outcome.because].share === 'ended';
  const isDeleted = !mayHaveEntry && !isListed && folder?.outcome.kind === 'listed';
  return isEnding && (isDeleted || !isNamed(row));
}

/** Whether nothing is said of the folder: nobody names it, or its server refuses it and no entry names it any more. */
export function isGone({ isNamed, mayHaveEntry, outcome }: Folder): boolean {
  return !isNamed || (!mayHaveEntry && isFor(outcome, 'refused'));
}

/**
 * Whether earlier sums of the Pod still stand: a withdrawal takes them with it. What is remembered of such a Pod was once
 * asked for in full; what is remembered of any other Pod can be a part of it.
 */
export function hasEarlierSums(pod: Pick<Pod, 'known' | 'rows'>): boolean {
  return pod.known !== null && pod.known.sums !== null && !hasEnded(pod);
}

/** Whether a share of the Pod has ended in this analysis. */
export function hasEnded(pod: Pick<Pod, 'rows'>): boolean {
  return filesOf(pod).some((row) => fateOf(row) === 'ended');
}

/**
 * Whether something was not asked for, or has no room, that the Pod cannot count without. A Pod with earlier sums is
 * judged by the files that are remembered of it, since anybody can name new addresses in somebody's Pod. Without earlier
 * sums, everything has to be asked for in one analysis: otherwise a part of the Pod would pass for the whole.
 */
export function isUnfinished(
  pod: Pick<Pod, 'known' | 'mayShareMore' | 'rows' | 'folders'>,
): boolean {
  if (!hasEarlierSums(pod)) {
    return pod.mayShareMore || askedOf(pod).some((asked) => isNotAsked(asked) || hasNoRoom(asked));
  }
  return filesOf(pod).some((row) => row.known !== null && isNotAsked(row));
}

export function hasNoRoom({ outcome }: Pick<Row | Folder, 'outcome'>): boolean {
  return isFor(outcome, 'no room');
}

export function isSilent({ outcome }: Pick<Row | Folder, 'outcome'>): boolean {
  return isFor(outcome, 'silence');
}

export function isNotAsked({ outcome }: Pick<Row | Folder, 'outcome'>): boolean {
  return isFor(outcome, 'not asked');
}
