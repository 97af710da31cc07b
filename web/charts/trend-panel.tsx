import { timeTicks } from '../../src/chart/layout/axes.js';
import { linearScale, type Scale } from '../../src/chart/layout/linear-scale.js';
import { Swatch } from '../components/swatch.js';
import { formatAverage } from '../format/format-number.js';
import { formatDay, formatTime } from '../format/format-time.js';
import type { MeasureInfo } from '../format/measures.js';
import { localTime } from './local-time.js';
import { meanPoints } from './mean-points.js';
import { niceTicks, spanOf } from './scale.js';
import type { TrendPoint } from './trend-points.js';

const height = 172;
export const trendPlot = { top: 10, bottom: 146, left: 38, edge: 10 };
const leastSpan = 12;
/** More would be a row of touching dots. */
const mostDots = 60;

interface TrendPanelProps {
  measure: MeasureInfo;
  /** Oldest first. */
  points: readonly TrendPoint[];
  /** Of all panels together, so that they read across. */
  x: Scale;
  width: number;
  /** How many points are drawn as one. */
  inARow: number;
  /** The time of the analysis that is pointed at, in whichever panel. */
  pointed: string | null;
}

/** One measure from analysis to analysis; the band is one spread to either side. */
export function TrendPanel({ measure, points, x, width, inARow, pointed }: TrendPanelProps) {
  const { name, label, unit } = measure;
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) {
    return (
      <figure class={`trend ${name}`}>
        <TrendCaption measure={measure} />
        <p class="muted">No analysis has an average of this measure.</p>
      </figure>
    );
  }
  const ends = points.flatMap(({ value, spread, beside }) => [
    value - spread,
    value + spread,
    beside ?? value,
  ]);
  const domain = spanOf(ends, leastSpan);
  const y = linearScale(domain, [trendPlot.bottom, trendPlot.top]);
  const place = (time: number, value: number) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`;
  const drawn = meanPoints(points, inARow);
  const upper = drawn.map((point) => place(point.time, point.value + point.spread));
  const lower = drawn.map((point) => place(point.time, point.value - point.spread)).reverse();
  const beside = drawn.flatMap((point) =>
    point.beside === null ? [] : [place(point.time, point.beside)],
  );
  const shown = points.find((point) => point.generatedAt === pointed);
  return (
    <figure class={`trend ${name}`}>
      <TrendCaption measure={measure} point={shown ?? last} />
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={describe(label, unit, first, last, points.length)}
      >
        {niceTicks(domain, 4).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={trendPlot.left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text class="tick" x={trendPlot.left - 8} y={y(tick) + 4} text-anchor="end">
              {tick}
            </text>
          </g>
        ))}
        {points.length > 1 && <polygon class="band" points={[...upper, ...lower].join(' ')} />}
        {beside.length > 1 && <polyline class="beside" points={beside.join(' ')} />}
        <polyline
          class="line"
          points={drawn.map((point) => place(point.time, point.value)).join(' ')}
        />
        {shown !== undefined && <Pointer x={x(shown.time)} />}
        {points.length <= mostDots &&
          points.map((point) => (
            <circle
              key={point.generatedAt}
              class="dot"
              cx={x(point.time)}
              cy={y(point.value)}
              r={points.length === 1 ? 4 : 2.5}
            />
          ))}
        {shown !== undefined && (
          <circle class="dot shown" cx={x(shown.time)} cy={y(shown.value)} r="5" />
        )}
        <TimeAxis first={first} last={last} x={x} width={width} />
      </svg>
    </figure>
  );
}

/** Room for one label; where it is short, three all the same. */
const tickRoom = 84;
const fewest = 3;
/** Two moments that lie close together may have no more round ones between them. */
const mostTried = 12;

interface TimeAxisProps extends Pick<TrendPanelProps, 'x' | 'width'> {
  first: TrendPoint;
  last: TrendPoint;
}

/** Round moments; the day of a single analysis below its dot. */
function TimeAxis({ first, last, x, width }: TimeAxisProps) {
  if (first === last) return <Moment at={last.time} label={formatDay(last.generatedAt)} x={x} />;
  const [from, to] = [localTime(first.time), localTime(last.time)];
  let most = Math.max(fewest, Math.floor(width / tickRoom));
  let ticks = timeTicks(from, to, most);
  while (ticks.length < fewest && most < mostTried) ticks = timeTicks(from, to, ++most);
  return (
    <>
      {ticks.map(({ at, label }) => {
        const time = first.time + (at - from);
        return <Moment key={at} at={time} label={label.replace('\n', ' ')} x={x} />;
      })}
    </>
  );
}

function Moment({ at, label, x }: { at: number; label: string; x: Scale }) {
  const { bottom } = trendPlot;
  return (
    <>
      <line class="axis" x1={x(at)} x2={x(at)} y1={bottom} y2={bottom + 4} />
      <text class="tick" x={x(at)} y={height - 6} text-anchor="middle">
        {label}
      </text>
    </>
  );
}

export function Pointer({ x }: { x: number }) {
  return <line class="pointer" x1={x} x2={x} y1={trendPlot.top} y2={trendPlot.bottom} />;
}

function TrendCaption({ measure, point }: { measure: MeasureInfo; point?: TrendPoint }) {
  const { name, label, unit } = measure;
  return (
    <figcaption>
      <h3>
        <Swatch measure={name} />
        {label}
      </h3>
      {point !== undefined && (
        <p class="readout">
          <strong>
            {formatAverage(point.value)} {unit}
          </strong>{' '}
          <span class="muted">
            ± {formatAverage(point.spread)}
            {point.beside !== null && ` · cohort ${formatAverage(point.beside)}`} ·{' '}
            {formatTime(point.generatedAt)}
          </span>
        </p>
      )}
    </figcaption>
  );
}

function describe(
  label: string,
  unit: string,
  first: TrendPoint,
  last: TrendPoint,
  count: number,
): string {
  const at = (point: TrendPoint) =>
    `${formatAverage(point.value)} ${unit} on ${formatDay(point.generatedAt)}`;
  return count === 1
    ? `${label}: one analysis, ${at(last)}.`
    : `${label} over ${count} analyses: from ${at(first)} to ${at(last)}.`;
}
