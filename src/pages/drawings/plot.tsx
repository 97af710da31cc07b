import type { ComponentChildren } from 'preact';
import type { MeasureName } from '../../analysis/reading.js';
import { measureTitles } from '../../chart/chart-words.js';
import { Swatch } from '../blocks.js';

/** Without a script nobody knows the width in pixels, so `x` is in hundredths of it, and `y` in pixels. */
export function percent(value: number): string {
  return `${value.toFixed(2)}%`;
}

interface DrawingProps {
  class: string;
  measure: MeasureName;
  about: string;
  children: ComponentChildren;
}

export function Drawing({ class: look, measure, about, children }: DrawingProps) {
  return (
    <figure class={`${look} ${measure}`}>
      <figcaption>
        <Swatch measure={measure} /> <b>{measureTitles[measure]}</b>{' '}
        <span class="muted">{about}</span>
      </figcaption>
      {children}
    </figure>
  );
}

export function Tick({ x, y, children }: { x: number; y: number; children: ComponentChildren }) {
  return (
    <g class="tick">
      <line class="axis" x1={percent(x)} x2={percent(x)} y1={y} y2={y + 4} />
      <text x={percent(x)} y={y + 18} text-anchor="middle">
        {children}
      </text>
    </g>
  );
}

interface DotProps {
  class: string;
  x: number;
  y: number;
  radius: number;
  href: string;
  /** Its name, which stands above the drawing while the dot is pointed at or has the focus. */
  children: string;
}

export function Dot({ class: look, x, y, radius, href, children }: DotProps) {
  return (
    <a href={href}>
      <circle class={look} cx={percent(x)} cy={y.toFixed(1)} r={radius} />
      <text class="name" x={percent(x)} y={nameAt} text-anchor={x < 50 ? 'start' : 'end'}>
        {children}
      </text>
    </a>
  );
}

const nameAt = 12;
export const top = 18;

/** The span of the values with room around it, never narrower than `least`: noise must not look like a trend. */
export function spanOf(values: readonly number[], least: number): [number, number] {
  const low = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const high = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  if (low > high) return [0, least];
  const room = Math.max((least - (high - low)) / 2, (high - low) * 0.08);
  return [low - room, high + room];
}
