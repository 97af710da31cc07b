import type { Figures } from '../analysis/figures.js';
import { measureNames } from '../analysis/reading.js';
import type { Axis } from './axes.js';
import { measureTitles } from './chart-words.js';
import { gap, leader, plot } from './plot.js';
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
): { lines: string; labels: string } {
  const { heading, side, width, dashes } = kinds[kind];
  const lines = measureNames
    .flatMap((measure) => {
      const value = averages[measure];
      if (value === null) return [];
      return { measure, y: y(value), label: `${measureTitles[measure]} ${value.toFixed(1)}` };
    })
    .sort((one, other) => one.y - other.y);
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
  const positions = spreadLabels(lines.map((line) => line.y));
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

/** Moves heights, given from top to bottom, apart: each down as far as it has to be, but never below the plot. */
export function spreadLabels(heights: readonly number[]): number[] {
  const places: number[] = [];
  for (const height of heights) {
    places.push(Math.max(height, (places.at(-1) ?? -Infinity) + labelHeight));
  }
  const lowest = (index: number) => plot.bottom - (places.length - 1 - index) * labelHeight;
  return places.map((place, index) => Math.min(place, lowest(index)));
}
