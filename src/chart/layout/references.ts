import type { Figures } from '../../analysis/figures.js';
import type { MeasureName } from '../../analysis/reading.js';
import { gap, gutterFor, labelOf, leader, linesOf } from './gutter.js';
import type { Scale } from './linear-scale.js';
import { halfLetter, type Mark, pathThrough, type Text } from './marks.js';
import type { PlotBox } from './plot-box.js';
import { spreadLabels } from './spread-labels.js';

/** Lines of one kind: own averages, or those of the cohort. */
const kinds = {
  own: { heading: 'Own average', side: 'right', look: 'dashed' },
  cohort: { heading: 'Cohort average', side: 'left', look: 'dotted' },
} as const;

const labelHeight = 17;

/**
 * A line across the plot for each average. Beside it heading, names and values, each joined to its
 * line by a leader of the same dashes; labels of close lines are pushed apart.
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
