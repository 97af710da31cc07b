import { compare, sum } from '../../base/lists.js';
import type { Memory } from '../../memory/memory.js';
import { ROOM_FOR_ONE_POD, ROOM_FOR_PODS, roomByPod, roomFor } from '../../memory/room.js';
import { noRoom } from '../../pod/outcome.js';
import { filesOf, keyOf, type Pod, type Row } from './row.js';

/**
 * Lets new files in while the memory has room: those of a Pod all together or not at all, since a part must not pass for
 * the whole, and small additions before large ones. What is remembered keeps its room. The keys of files that wait are
 * claimed all the same: else a smaller Pod with copies of them would come first.
 */
export function admitFiles(
  pods: readonly Pod[],
  memory: Pick<Memory, 'pods'>,
  { forPods, forOne } = { forPods: ROOM_FOR_PODS, forOne: ROOM_FOR_ONE_POD },
): void {
  const withNew = pods
    .map((pod) => ({ pod, rows: filesOf(pod).filter(isNew) }))
    .filter(({ rows }) => rows.length > 0);
  if (withNew.length === 0) return;
  const taken = roomByPod(memory);
  const additions = withNew.map(({ pod, rows }) => {
    const { root } = pod.owner;
    const known = memory.pods.get(root)?.shares.keys() ?? [];
    const room = roomFor(root, [...known, ...rows.map(({ url }) => url)]);
    return { rows, room, added: room - (taken.get(root) ?? 0), order: pod.rootDigest };
  });
  let left = forPods - sum(taken.values());
  // Of additions of one size, in an order that nobody can choose.
  additions.sort((one, other) => one.added - other.added || compare(one.order, other.order));
  for (const { rows, room, added } of additions) {
    if (room <= forOne && added <= left) left -= added;
    else for (const row of rows) row.outcome = noRoom(keyOf(row));
  }
}

function isNew({ known, read }: Row): boolean {
  return known === null && read !== null;
}
