import type { ComponentChildren } from 'preact';

/**
 * The parts of a drawing that is as wide as the page lets it be. Without a script nobody knows its pixels, so places
 * from left to right are in hundredths of its width. Heights are in pixels, and so texts and dots keep their size.
 */
export function percent(value: number): string {
  return `${value.toFixed(2)}%`;
}

/** A mark on the horizontal axis, with its name below. */
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
