import type { Figures } from '../analysis/figures.js';
import type { Axis } from './axes.js';
import { gap, leader, linesOf, type Plot } from './plot.js';
import { colours, ink, stroked, text, through } from './svg.js';

/** The two kinds of lines: the own averages, and the cohort averages. */
const kinds = {
  own: {
    heading: 'Own average',
    side: 'right',
    width: 1.5,
    dashes: { 'stroke-dasharray': '7 4' },
  },
  cohort: {
    heading: 'Cohort average',
    side: 'left',
    width: 2,
    dashes: { 'stroke-dasharray': '0.5 4', 'stroke-linecap': 'round' },
  },
} as const;

const labelHeight = 17;
/** The distance from the middle of a letter to the line on which it stands. */
const halfLetter = 4;

/**
 * Draws a line across the plot for each average. Beside the plot stand a heading and labels with names and values. A
 * leader with the same dashes joins each label to its line. Labels of lines that are close together are moved apart.
 */
export function references(
  kind: keyof typeof kinds,
  averages: Figures,
  y: Axis['scale'],
  plot: Plot,
): { lines: string; labels: string } {
  const { heading, side, width, dashes } = kinds[kind];
  const lines = linesOf(averages).map((line) => ({ ...line, y: y(line.value) }));
  if (lines.length === 0) return { lines: '', labels: '' };
  const edge = plot[side];
  const away = (distance: number) => edge + (side === 'left' ? -distance : distance);
  const join = (from: number, to: number) =>
    through([edge, from], [away(leader - 5), to], [away(leader), to]);
  const label = (words: string, middle: number, fill: string) =>
    text(words, away(leader + gap), middle + halfLetter, {
      ...{ size: 12.5, weight: 500, fill, halo: true },
      anchor: side === 'left' ? 'end' : 'start',
    });
  const headingAt = plot.top - 16;
  const positions = spreadLabels(
    lines.map((line) => line.y),
    { gap: labelHeight, low: plot.top, high: plot.bottom },
  );
  const labelled = lines.map((line, index) => ({ ...line, position: positions[index] ?? line.y }));
  return {
    lines: [
      stroked(join(headingAt, headingAt), ink.normal, width, dashes),
      ...labelled.map(({ measure, y: at, position }) => {
        const across = through([plot.left, at], [plot.right, at]);
        return stroked(across + join(at, position), colours[measure].dark, width, dashes);
      }),
    ].join(''),
    labels: [
      label(heading, headingAt, ink.normal),
      ...labelled.map((line) => label(line.label, line.position, colours[line.measure].dark)),
    ].join(''),
  };
}

interface Room {
  /** The least distance between neighbours. */
  gap: number;
  low: number;
  high: number;
}

interface Cluster {
  centre: number;
  members: number[];
}

/**
 * Moves positions apart until neighbours keep the gap and all lie in the room. Each stays as near as possible to the
 * position that is wanted for it. The result is in the order given.
 */
export function spreadLabels(wanted: readonly number[], room: Room): number[] {
  const clusters: Cluster[] = [];
  const order = Array.from(wanted.entries()).sort(([, a], [, b]) => a - b);
  for (const [index] of order) {
    let cluster = clusterOf([index], wanted, room);
    // A label that would touch its neighbour joins it, and from then on both move together.
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
