import type { MeasureName } from '../analysis/reading.js';
import { attributesOf, type Mark, type Text } from './layout/marks.js';

/** The font whose files are installed with this program. */
export const font = 'Inter';

/**
 * The colours of Okabe and Ito, which colour-blind readers can tell apart. Text and the lines of averages are dark.
 * The colours are written out, because resvg does not support CSS variables.
 */
const measureColours: Record<MeasureName, { bright: string; dark: string }> = {
  systolic: { bright: '#D55E00', dark: '#8F3F00' },
  diastolic: { bright: '#0072B2', dark: '#004A75' },
  heart_rate: { bright: '#009E73', dark: '#005C43' },
};
const paper = '#FFFFFF';
const ink = { strong: '#1F2933', normal: '#52606D', grid: '#E4E7EB', axis: '#9AA5B1' };

const fonts = {
  title: { size: 19, weight: 600, colour: ink.strong },
  subtitle: { size: 13.5, weight: 400, colour: ink.normal },
  legend: { size: 13.5, weight: 400, colour: ink.strong },
  label: { size: 12.5, weight: 500, colour: ink.normal },
  tick: { size: 12, weight: 400, colour: ink.normal },
  note: { size: 11, weight: 400, colour: ink.normal },
};

/** The chart's own texts, and the texts that only the picture has around the chart. */
export type PictureText = Omit<Text, 'look'> & { look: keyof typeof fonts };

export interface Layer {
  marks: readonly Mark[];
  texts: readonly PictureText[];
  /** How far the layer is moved to the right and down. */
  offset: readonly [x: number, y: number];
}

export function paintSvg(layers: readonly Layer[], width: number, height: number): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="${font}">`,
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    ...layers.flatMap(({ marks, texts, offset }) => [
      `<g transform="translate(${offset.join(' ')})">`,
      ...marks.map(paintMark),
      ...texts.map(paintText),
      '</g>',
    ]),
    '</svg>',
  ].join('');
}

function paintMark(mark: Mark): string {
  const attributes = attributesOf(mark.look);
  const paint = 'fill' in attributes ? 'stroke' : 'fill';
  return `<path${written({ ...attributes, [paint]: colourOf(mark), d: mark.d })}/>`;
}

function colourOf({ look, measure }: Mark): string {
  if (look === 'week') return ink.axis;
  if (look === 'grid' || look === 'axis') return ink[look];
  if (measure === null) return ink.normal;
  const { bright, dark } = measureColours[measure];
  return look === 'dashed' || look === 'dotted' ? dark : bright;
}

function paintText({ look, measure, text, x, y, anchor }: PictureText): string {
  const { size, weight, colour } = fonts[look];
  const fill = measure === null ? colour : measureColours[measure].dark;
  const halo = { stroke: paper, 'stroke-width': 4, 'paint-order': 'stroke' };
  return `<text${written({
    x: x.toFixed(1),
    y: y.toFixed(1),
    fill,
    'text-anchor': anchor,
    'font-size': size,
    'font-weight': weight,
    // A halo keeps labels readable, because the lines across the plot also run through the gutter of the labels.
    ...(look === 'label' ? halo : {}),
  })}>${text}</text>`;
}

function written(attributes: Record<string, string | number>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('');
}
