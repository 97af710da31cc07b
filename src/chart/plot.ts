import type { Figures } from '../analysis/figures.js';
import { type MeasureName, measureNames } from '../analysis/reading.js';
import { measureTitles } from './chart-words.js';

/** The size of the picture in the units of its layout. */
export const [width, height, margin] = [900, 500, 20];
/** The width in pixels of the drawn picture: wide enough for readable text, and small enough for a small result. */
export const PIXELS_WIDE = 1350;

/** Where the numbers of the vertical axis end, and the lines across begin. */
export const numbersEnd = 50;
/** A short line, the leader, joins each label beside the plot to its line; `gap` is between its end and the letters. */
export const leader = 21;
export const gap = 4.5;
/** At the size of labels, a letter of the font is 6 wide on average; this is a little more, to be safe. */
const letterWidth = 6.2;

/** The room for the lines. */
export interface Plot {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** What is left between two gutters, which are as wide as the labels of the averages in them. */
export function plotOf({ own, cohort }: { own: Figures; cohort: Figures }): Plot {
  const [left, right] = [gutterOf(cohort), gutterOf(own)];
  return {
    left: numbersEnd + 6 + left,
    right: width - margin - Math.max(12, right),
    top: left + right === 0 ? 96 : 114,
    bottom: 442,
  };
}

/** The width in pixels of the lines that are drawn in the plot. */
export function pixelsAcross({ left, right }: Plot): number {
  return ((right - left) * PIXELS_WIDE) / width;
}

interface ReferenceLine {
  measure: MeasureName;
  value: number;
  label: string;
}

/** The lines of the averages that are not null. */
export function linesOf(averages: Figures): ReferenceLine[] {
  return measureNames.flatMap((measure) => {
    const value = averages[measure];
    if (value === null) return [];
    return [{ measure, value, label: `${measureTitles[measure]} ${value.toFixed(1)}` }];
  });
}

function gutterOf(averages: Figures): number {
  const lengths = linesOf(averages).map(({ label }) => label.length);
  return lengths.length === 0 ? 0 : leader + 2 * gap + Math.max(...lengths) * letterWidth;
}
