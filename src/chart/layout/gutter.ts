import type { Figures } from '../../analysis/figures.js';
import { type MeasureName, measureNames } from '../../analysis/reading.js';
import { measureTitles } from './chart-words.js';

/** The least width of a picture that has room for values beside the plot, and for names as well. */
const roomForValues = 520;
const roomForNames = 840;

/**
 * `leader` is the way from the plot to the end of the line that leads to a label, `gap` the way from there to the
 * letters.
 */
export const leader = 21;
export const gap = 4.5;
/** A letter of our font is 6 wide on average at this size; a little more, to be safe. */
const letterWidth = 6.2;

/** How wide the labels of these averages are, with their leaders; 0 where there are none. */
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
