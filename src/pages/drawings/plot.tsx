import type { ComponentChildren } from 'preact';

/**
 * The parts of a drawing that is as wide as the page lets it be. Without a script nobody knows its pixels, so places
 * from left to right are in hundredths of its width. Heights are in pixels, and so texts and dots keep their size.
 */
export function percent(value: number): string {
  return `${value.toFixed(2)}%`;
}

/** A place on a line that is drawn in `Stretched`. */
export function point(x: number, y: number): string {
  return `${x.toFixed(2)},${y.toFixed(1)}`;
}

/** What only paths can draw. */
export function Stretched({ height, children }: { height: number; children: ComponentChildren }) {
  return (
    <svg viewBox={`0 0 100 ${height}`} width="100%" height={height} preserveAspectRatio="none">
      {children}
    </svg>
  );
}

/** A line across, with its value left of the drawing. */
export function Level({ y, children }: { y: number; children: ComponentChildren }) {
  return (
    <>
      <line class="grid" x1="0" x2="100%" y1={y.toFixed(1)} y2={y.toFixed(1)} />
      <text x="-8" y={(y + 4).toFixed(1)} text-anchor="end">
        {children}
      </text>
    </>
  );
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
