import type { MeasureName } from '../analysis/reading.js';

export const font = 'Inter';

/**
 * The colours of Okabe and Ito, which colour-blind readers can tell apart. Text and the lines of averages are dark.
 * Written out, because resvg knows no CSS variables.
 */
export const colours: Readonly<Record<MeasureName, { bright: string; dark: string }>> = {
  systolic: { bright: '#D55E00', dark: '#8F3F00' },
  diastolic: { bright: '#0072B2', dark: '#004A75' },
  heart_rate: { bright: '#009E73', dark: '#005C43' },
};
export const paper = '#FFFFFF';
export const ink = { strong: '#1F2933', normal: '#52606D', grid: '#E4E7EB', axis: '#9AA5B1' };

type Attributes = Record<string, string | number>;

export function filled(d: string, fill: string): string {
  return element('path', { fill, d });
}

export function stroked(d: string, stroke: string, width: number, more: Attributes = {}): string {
  const line = { fill: 'none', 'stroke-width': width, 'stroke-linejoin': 'round' };
  return element('path', { ...line, ...more, stroke, d });
}

interface TextLook {
  size: number;
  weight?: number;
  fill?: string;
  anchor?: 'start' | 'middle' | 'end';
  /** Keeps the text readable above lines. */
  halo?: boolean;
}

/** `y` is the height of the line on which the letters stand. The words are our own and need no escaping. */
export function text(words: string, x: number, y: number, look: TextLook): string {
  const { size, weight = 400, fill = ink.normal, anchor = 'start', halo = false } = look;
  const outline = halo ? { stroke: paper, 'stroke-width': 4, 'paint-order': 'stroke' } : {};
  const letters = { 'font-size': size, 'font-weight': weight, 'text-anchor': anchor, fill };
  const place = { x: x.toFixed(1), y: y.toFixed(1) };
  return element('text', { ...place, ...letters, ...outline }, words);
}

function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

export function through(...positions: readonly (readonly [x: number, y: number])[]): string {
  return `M${positions.map((position) => position.map((at) => Number(at.toFixed(2))).join(',')).join('L')}`;
}

/** Measures are told apart by shape as well as by colour. */
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
