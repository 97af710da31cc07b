import type { MeasureName } from '../analysis/reading.js';

/** The font whose files are installed with this program. */
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

export function filled(d: string, fill: string, more: Attributes = {}): string {
  return element('path', { ...more, fill, d });
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
  const attributes = {
    ...{ x: x.toFixed(1), y: y.toFixed(1), fill, 'text-anchor': anchor },
    ...{ 'font-size': size, 'font-weight': weight },
    ...(halo && { stroke: paper, 'stroke-width': 4, 'paint-order': 'stroke' }),
  };
  return element('text', attributes, words);
}

function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${written.join('')}>${content}</${name}>`;
}

/** Straight lines from position to position. */
export function through(...positions: readonly (readonly [x: number, y: number])[]): string {
  return `M${positions.map((position) => position.map((at) => Number(at.toFixed(2))).join(',')).join('L')}`;
}
