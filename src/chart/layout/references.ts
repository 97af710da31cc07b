import type { Figures } from '../../analysis/figures.js';
import type { MeasureName } from '../../analysis/reading.js';
import { gap, gutterFor, labelOf, leader, linesOf } from './gutter.js';
import type { Scale } from './linear-scale.js';
import { halfLetter, type Mark, pathThrough, type Text } from './marks.js';
import type { PlotBox } from './plot-box.js';

/** The two kinds of lines: the own averages, and the cohort averages. */
const kinds = {
  own: { heading: 'Own average', side: 'right', look: 'dashed' },
  cohort: { heading: 'Cohort average', side: 'left', look: 'dotted' },
} as const;

const labelHeight = 17;

/**
 * Draws a line across the plot for each average. Beside the plot, if there is room, stand a heading and labels with
 * names and values. A leader with the same dashes joins each label to its line. Labels of lines that are close together
 * are moved apart.
 */
export function references(
  kind: keyof typeof kinds,
  averages: Figures,
  { plot, y, width }: { plot: PlotBox; y: Scale; width: number },
): { marks: Mark[]; texts: Text[] } {
  const { heading, side, look } = kinds[kind];
  const lines = linesOf(averages).map((line) => ({ ...line, y: y(line.value) }));
  const across = (at: number) => pathThrough([plot.left, at], [plot.right, at]);
  if (gutterFor(averages, width) === 0) {
    const marks = lines.map((line) => ({ look, measure: line.measure, d: across(line.y) }));
    return { marks, texts: [] };
  }
  const edge = plot[side];
  const away = (distance: number) => edge + (side === 'left' ? -distance : distance);
  const join = (from: number, to: number) =>
    pathThrough([edge, from], [away(leader - 5), to], [away(leader), to]);
  const label = (measure: MeasureName | null, text: string, middle: number): Text => ({
    look: 'label',
    measure,
    text,
    x: away(leader + gap),
    y: middle + halfLetter,
    anchor: side === 'left' ? 'end' : 'start',
  });
  const headingAt = plot.top - 16;
  const places = spreadLabels(
    lines.map((line) => line.y),
    { gap: labelHeight, low: plot.top, high: plot.bottom },
  );
  const labelled = lines.map((line, index) => ({ ...line, place: places[index] ?? line.y }));
  return {
    marks: [
      { look, measure: null, d: join(headingAt, headingAt) },
      ...labelled.map(({ measure, y: at, place }) => ({
        look,
        measure,
        d: across(at) + join(at, place),
      })),
    ],
    texts: [
      label(null, heading, headingAt),
      ...labelled.map((line) => label(line.measure, labelOf(line, width), line.place)),
    ],
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
