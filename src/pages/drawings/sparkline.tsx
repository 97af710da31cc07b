import { scaleLinear } from 'd3-scale';
import { spanOf } from './plot.js';

const [width, height, room] = [240, 44, 5];
const leastSpan = 8;

/** A line through the values of some times, oldest first, with a dot at its end. It stretches with the page. */
export function Sparkline({ points }: { points: readonly { at: number; value: number }[] }) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const x = scaleLinear([first.at, last.at], [room, width - room]);
  const values = points.map(({ value }) => value);
  const y = scaleLinear(spanOf(values, leastSpan), [height - room, room]);
  const line = points.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline class="line" points={line.join(' ')} />
      {/* As long as nothing: its round ends are the dot, which stays round however the line is stretched. */}
      <path class="end" d={`M${line.at(-1)}h0`} />
    </svg>
  );
}
