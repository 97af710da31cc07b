import { linearScale } from '../../src/chart/layout/linear-scale.js';
import { spanOf } from './scale.js';
import type { TrendPoint } from './trend-points.js';

const [width, height] = [240, 44];
const room = 5;
const leastSpan = 8;

/** The course of one figure, without axes: the history has those. Stretched to the room it has. */
export function Sparkline({ points, label }: { points: readonly TrendPoint[]; label: string }) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const x = linearScale([first.time, last.time], [room, width - room]);
  const y = linearScale(
    spanOf(
      points.map(({ value }) => value),
      leastSpan,
    ),
    [height - room, room],
  );
  const line = points.map(({ time, value }) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline class="line" points={line.join(' ')} />
      {/* A line without length is a dot that stays round when the picture is stretched. */}
      <path class="end" d={`M${x(last.time).toFixed(1)} ${y(last.value).toFixed(1)}h0`} />
    </svg>
  );
}
