import type { Figures } from '../../analysis/figures.js';
import { type MeasureName, measureNames } from '../../analysis/reading.js';
import { measureTitles } from './chart-words.js';

/**
 * A picture of at least this width has room for values beside the plot; from `roomForNames` on, for names as well.
 */
const roomForValues = 520;
const roomForNames = 840;

/**
 * A short line, the leader, leads from the plot to each label. `leader` is its width, and `gap` is the space between
 * its end and the letters.
 */
export const leader = 21;
export const gap = 4.5;
/** At this size, a letter of the font is 6 wide on average; this is a little more, to be safe. */
const letterWidth = 6.2;

/** The width of the labels of these averages with their leaders; 0 if there are no labels. */
export function gutterFor(averages: Figures, width: number): number {
  const lengths = linesOf(averages).map((line) => labelOf(line, width).length);
  if (lengths.length === 0 || width < roomForValues) return 0;
  return leader + 2 * gap + Math.max(...lengths) * letterWidth;
}

interface ReferenceLine {
  measure: MeasureName;
  value: number;
}

export function linesOf(averages: Figures): ReferenceLine[] {
  return measureNames.flatMap((measure) => {
    const value = averages[measure];
    return value === null ? [] : [{ measure, value }];
  });
}

export function labelOf({ measure, value }: ReferenceLine, width: number): string {
  const figure = value.toFixed(1);
  return width < roomForNames ? figure : `${measureTitles[measure]} ${figure}`;
}
