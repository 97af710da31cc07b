export interface Room {
  /** Least distance between neighbours. */
  gap: number;
  low: number;
  high: number;
}

interface Cluster {
  centre: number;
  members: number[];
}

/**
 * Moves positions apart until neighbours keep the gap and all lie in the room, each as near
 * as possible to where it wants to be. The result is in the order given.
 */
export function spreadLabels(wanted: readonly number[], room: Room): number[] {
  const clusters: Cluster[] = [];
  const order = Array.from(wanted.entries()).sort(([, a], [, b]) => a - b);
  for (const [index] of order) {
    let cluster = clusterOf([index], wanted, room);
    // A label that would touch its neighbour joins it, and the two move as one from then on.
    for (let above = clusters.at(-1); above !== undefined; above = clusters.at(-1)) {
      const members = [...above.members, ...cluster.members];
      if (cluster.centre - above.centre >= (members.length / 2) * room.gap) break;
      clusters.pop();
      cluster = clusterOf(members, wanted, room);
    }
    clusters.push(cluster);
  }
  const positions = Array.from(wanted);
  for (const { centre, members } of clusters) {
    members.forEach((index, rank) => {
      positions[index] = centre + (rank - (members.length - 1) / 2) * room.gap;
    });
  }
  return positions;
}

function clusterOf(
  members: number[],
  wanted: readonly number[],
  { gap, low, high }: Room,
): Cluster {
  const mean = members.reduce((total, index) => total + (wanted[index] ?? 0), 0) / members.length;
  const half = ((members.length - 1) / 2) * gap;
  return { centre: Math.max(low + half, Math.min(mean, high - half)), members };
}
