import { linearScale, type Scale } from '../../src/chart/layout/linear-scale.js';
import { formatCount } from '../format/format-number.js';
import { niceTicks } from './scale.js';
import { trendPlot } from './trend-panel.js';
import type { AtAnalysis } from './trend-points.js';

const height = 76;
const bottom = 64;

interface CountPanelProps {
  analyses: readonly AtAnalysis[];
  x: Scale;
  width: number;
  pointed: AtAnalysis | null;
}

/** How many Pods each analysis rests on, below the averages that they made. */
export function CountPanel({ analyses, x, width, pointed }: CountPanelProps) {
  const counts = analyses.map(({ cohort }) => cohort.included_pod_count);
  const most = Math.max(1, ...counts);
  const y = linearScale([0, most], [bottom, 10]);
  const shown = pointed ?? analyses.at(-1);
  const steps = analyses.map(
    ({ generated_at, cohort }) =>
      `${x(Date.parse(generated_at)).toFixed(1)},${y(cohort.included_pod_count).toFixed(1)}`,
  );
  const [first, last] = [analyses[0], analyses.at(-1)];
  return (
    <figure class="trend pod-count">
      <figcaption>
        <h3>Pods in the averages</h3>
        {shown !== undefined && (
          <p class="readout">
            <strong>{formatCount(shown.cohort.included_pod_count)}</strong>{' '}
            <span class="muted">of {formatCount(shown.cohort.pod_count)} read</span>
          </p>
        )}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Pods in the averages: between ${formatCount(Math.min(...counts))} and ${formatCount(Math.max(...counts))}.`}
      >
        {niceTicks([0, most], 2)
          .filter((tick) => Number.isInteger(tick))
          .map((tick) => (
            <g key={tick}>
              <line class="grid" x1={trendPlot.left} x2={width} y1={y(tick)} y2={y(tick)} />
              <text class="tick" x={trendPlot.left - 8} y={y(tick) + 4} text-anchor="end">
                {formatCount(tick)}
              </text>
            </g>
          ))}
        {first !== undefined && last !== undefined && first !== last && (
          <polygon
            class="area"
            points={[
              `${x(Date.parse(first.generated_at)).toFixed(1)},${bottom}`,
              ...steps,
              `${x(Date.parse(last.generated_at)).toFixed(1)},${bottom}`,
            ].join(' ')}
          />
        )}
        <polyline class="line" points={steps.join(' ')} />
        {shown !== undefined && (
          <circle
            class="dot"
            cx={x(Date.parse(shown.generated_at))}
            cy={y(shown.cohort.included_pod_count)}
            r="4"
          />
        )}
      </svg>
    </figure>
  );
}
