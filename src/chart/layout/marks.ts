import type { MeasureName } from '../../analysis/reading.js';

/**
 * How each mark is drawn in every picture. Marks are painted in the order of this list. A painter adds the colour.
 */
const looks = {
  grid: stroke(1),
  axis: stroke(1),
  week: { ...stroke(4), 'stroke-linecap': 'round' },
  band: { 'fill-opacity': 0.15 },
  line: stroke(1.75),
  thin: stroke(1.25),
  fine: stroke(1),
  dashed: { ...stroke(1.5), 'stroke-dasharray': '7 4' },
  dotted: { ...stroke(2), 'stroke-dasharray': '0.5 4', 'stroke-linecap': 'round' },
  mark: {},
} satisfies Record<string, Record<string, string | number>>;

export type Look = keyof typeof looks;

/** One path, in the colour of its look and of its measure. */
export interface Mark {
  look: Look;
  measure: MeasureName | null;
  /** The path in the notation of SVG. */
  d: string;
}

export interface Text {
  look: 'tick' | 'label';
  measure: MeasureName | null;
  text: string;
  x: number;
  /** The height of the line on which the letters stand. */
  y: number;
  anchor: 'start' | 'middle' | 'end';
}

/** The distance from the middle of a letter to the line on which it stands. */
export const halfLetter = 4;

/** The attributes of a mark that a painter writes, besides the path and its colour. */
export function attributesOf(look: Look): Record<string, string | number> {
  return looks[look];
}

export function inPaintingOrder(marks: readonly Mark[]): Mark[] {
  const order = Object.keys(looks);
  return marks.toSorted((a, b) => order.indexOf(a.look) - order.indexOf(b.look));
}

/**
 * The shape of a measure, in a box as wide as `size`: measures are told apart by shape as well as by colour.
 */
export function markPath(measure: MeasureName, x: number, y: number, size: number): string {
  const unit = size / 12;
  const number = (value: number) => Number(value.toFixed(2));
  const long = (units: number) => number(units * unit);
  const start = (right: number, down: number) =>
    `M${number(x + right * unit)},${number(y + down * unit)}`;
  switch (measure) {
    case 'systolic': {
      const half = `a${long(5)},${long(5)} 0 1 1 `;
      return `${start(-5, 0)}${half}${long(10)},0${half}${long(-10)},0Z`;
    }
    case 'diastolic':
      return `${start(-4.4, -4.4)}h${long(8.8)}v${long(8.8)}h${long(-8.8)}Z`;
    case 'heart_rate':
      return `${start(0, -5)}l${long(5.4)},${long(9.6)}h${long(-10.8)}Z`;
  }
}

/** Straight lines from place to place. */
export function pathThrough(...places: readonly (readonly [x: number, y: number])[]): string {
  return `M${places.map((place) => place.map((at) => Number(at.toFixed(2))).join(',')).join('L')}`;
}

function stroke(width: number) {
  return { fill: 'none', 'stroke-width': width, 'stroke-linejoin': 'round' };
}
