import type { Figures } from '../analysis/figures.js';
import { type MeasureName, measureNames } from '../analysis/reading.js';
import type { PlotBox } from './chart-layout.js';
import { font, ink, measureStyles } from './chart-style.js';
import { spreadLabels } from './spread-labels.js';
import { pixelOf, type ValueAxis } from './value-axis.js';

export interface ReferenceLine {
  name: MeasureName;
  value: number;
}

/** The lines of one kind: own averages, or those of the cohort. */
export interface ReferenceSet {
  heading: string;
  side: 'left' | 'right';
  dash: [line: number, space: number];
  lines: ReferenceLine[];
}

const labelHeight = 35;
const leader = 42;
const gap = 9;
/** A letter of our font is 12 units wide on average at this size; a little more, to be safe. */
const letterWidth = 12.4;

/** How wide the labels of these averages are, with their leaders; 0 where there are none. */
export function gutterFor(averages: Figures): number {
  const lengths = linesOf(averages).map((line) => labelOf(line).length);
  if (lengths.length === 0) return 0;
  return leader + 2 * gap + Math.max(...lengths) * letterWidth;
}

export function linesOf(averages: Figures): ReferenceLine[] {
  return measureNames.flatMap((name) => {
    const value = averages[name];
    return value === null ? [] : [{ name, value }];
  });
}

function labelOf({ name, value }: ReferenceLine): string {
  return `${measureStyles[name].name} ${value.toFixed(1)}`;
}

/**
 * Heading, names and values in the gutter beside the plot, each label joined to its line by
 * a leader of the same dashes. Labels of close lines are pushed apart.
 */
export function referenceLabels(
  { heading, side, dash, lines }: ReferenceSet,
  vertical: ValueAxis,
  box: PlotBox,
) {
  if (lines.length === 0) return [];
  const heights = lines.map(({ value }) => pixelOf(value, vertical, box));
  const positions = spreadLabels(heights, { gap: labelHeight, low: box.top, high: box.bottom });
  const headingY = box.top - 44;
  return [
    ...joined(heading, headingY, headingY, ink.normal),
    ...lines.flatMap((line, index) => {
      const y = heights[index] ?? 0;
      return joined(labelOf(line), y, positions[index] ?? y, measureStyles[line.name].dark);
    }),
  ];

  function joined(text: string, fromY: number, toY: number, color: string) {
    const edge = side === 'left' ? box.left : box.right;
    const away = (distance: number) => edge + (side === 'left' ? -distance : distance);
    const points = [
      [edge, fromY],
      [away(leader - 10), toY],
      [away(leader), toY],
    ];
    return [
      {
        type: 'polyline',
        shape: { points },
        style: { stroke: color, lineWidth: 2.5, lineDash: dash, fill: 'none' },
      },
      {
        type: 'text',
        x: away(leader + gap),
        y: toY,
        style: {
          text,
          align: side === 'left' ? 'right' : 'left',
          verticalAlign: 'middle',
          fill: color,
          fontFamily: font,
          fontSize: 25,
          fontWeight: 500,
          backgroundColor: '#FFFFFF',
          padding: [2, 4],
        },
      },
    ] as const;
  }
}
