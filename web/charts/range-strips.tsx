import { linearScale, type Scale } from '../../src/chart/layout/linear-scale.js';
import type { PodEntry } from '../../src/documents/results-document.js';
import type { Figures } from '../api/guards.js';
import { Swatch } from '../components/swatch.js';
import { formatAverage, formatReading } from '../format/format-number.js';
import { type MeasureInfo, measures } from '../format/measures.js';
import { niceTicks, spanOf } from './scale.js';
import { useWidth } from './use-width.js';

const rowHeight = 58;
const edge = 14;
const leastSpan = 60;

interface RangeStripsProps {
  podMeasures: PodEntry['measures'];
  cohort: Figures;
}

/** Lowest to highest reading of one Pod with its average, beside that of the cohort, on one axis. */
export function RangeStrips({ podMeasures, cohort }: RangeStripsProps) {
  const [box, width] = useWidth();
  const values = measures.flatMap(({ name }) => {
    const { minimum, maximum } = podMeasures[name];
    return [minimum, maximum, cohort[name]].filter((value) => value !== null);
  });
  if (values.length === 0) return null;
  const domain = spanOf(values, leastSpan);
  const scale = linearScale(domain, [edge, width - edge]);
  const axisAt = measures.length * rowHeight + 6;
  return (
    <figure class="range-strips">
      <div ref={box}>
        <svg
          viewBox={`0 0 ${width} ${axisAt + 24}`}
          role="img"
          aria-label="Range and average of each measure; the same numbers are in the table."
        >
          {niceTicks(domain, width / 80).map((tick) => (
            <g key={tick}>
              <line class="grid" x1={scale(tick)} x2={scale(tick)} y1="0" y2={axisAt} />
              <text class="tick" x={scale(tick)} y={axisAt + 17} text-anchor="middle">
                {tick}
              </text>
            </g>
          ))}
          {measures.map((measure, index) => (
            <RangeStrip
              key={measure.name}
              measure={measure}
              own={podMeasures[measure.name]}
              cohort={cohort[measure.name]}
              scale={scale}
              y={index * rowHeight}
            />
          ))}
        </svg>
      </div>
      <figcaption class="legend">
        {measures.map(({ name, label, unit }) => (
          <span key={name}>
            <Swatch measure={name} /> {label} ({unit})
          </span>
        ))}
        <span>
          <svg class="key" viewBox="0 0 24 12" aria-hidden="true">
            <rect class="key-range" x="0" y="4" width="24" height="4" rx="2" />
            <circle class="key-dot" cx="12" cy="6" r="5" />
          </svg>{' '}
          Lowest to highest reading, and average
        </span>
        <span>
          <svg class="key" viewBox="0 0 24 12" aria-hidden="true">
            <line class="cohort" x1="12" x2="12" y1="0" y2="12" />
          </svg>{' '}
          Cohort average
        </span>
      </figcaption>
    </figure>
  );
}

interface RangeStripProps {
  measure: MeasureInfo;
  own: PodEntry['measures']['systolic'];
  cohort: number | null;
  scale: Scale;
  y: number;
}

function RangeStrip({ measure, own, cohort, scale, y }: RangeStripProps) {
  const { minimum, maximum, average } = own;
  const line = y + 38;
  return (
    <g class={measure.name}>
      {minimum !== null && maximum !== null && (
        <>
          <rect
            class="range"
            x={scale(minimum) - 3}
            width={scale(maximum) - scale(minimum) + 6}
            y={line - 3}
            height="6"
            rx="3"
          >
            <title>{`${measure.label}: ${formatReading(minimum)} to ${formatReading(maximum)} ${measure.unit}`}</title>
          </rect>
          {average !== null && (
            <>
              <circle class="average" cx={scale(average)} cy={line} r="7" />
              <text class="value-label" x={scale(average)} y={line - 15} text-anchor="middle">
                {formatAverage(average)}
              </text>
            </>
          )}
        </>
      )}
      {cohort !== null && (
        <line class="cohort" x1={scale(cohort)} x2={scale(cohort)} y1={line - 11} y2={line + 11}>
          <title>{`Cohort: ${formatAverage(cohort)} ${measure.unit}`}</title>
        </line>
      )}
    </g>
  );
}
