import { scaleLinear } from 'd3-scale';
import { type MeasureName, measureNames, units } from '../../analysis/reading.js';
import { timeTicks } from '../../chart/axes.js';
import type { AnalysisSummary } from '../../documents/analysis-summary.js';
import { average, moment, number } from '../words.js';
import { Dot, Drawing, spanOf, Tick, top } from './plot.js';

const [bottom, height] = [top + 136, top + 162];
/** Keeps the outermost dots inside. */
const edge = 1;
/** No screen is wider; a hundred thousand would be 10 MB. */
const mostPoints = 4000;
/** More would be a row of touching dots. */
const mostDots = 120;
const mostTicks = 9;
const leastSpan = 12;

/** The average of averages from analysis to analysis with one spread to either side. */
export function Trend({ history }: { history: readonly AnalysisSummary[] }) {
  return (
    <div class="card">
      {measureNames.map((name) => (
        <Measure name={name} history={history} />
      ))}
    </div>
  );
}

interface Point {
  at: number;
  value: number;
  spread: number;
  analysis: AnalysisSummary;
}

function Measure({ name, history }: { name: MeasureName; history: readonly AnalysisSummary[] }) {
  const known = history.flatMap((analysis): Point[] => {
    const { generated_at, cohort } = analysis;
    const value = cohort.average_of_averages[name];
    if (value === null) return [];
    const spread = cohort.spread_of_averages[name] ?? 0;
    return [{ at: Date.parse(generated_at), value, spread, analysis }];
  });
  const [last] = known;
  const every = Math.ceil(known.length / mostPoints);
  // A clock can have been wrong.
  const points = known
    .filter((_, index) => index % every === 0)
    .sort((one, other) => one.at - other.at);
  const about =
    last === undefined
      ? 'No analysis has an average of this measure.'
      : `${average(last.value)} ± ${average(last.spread)} ${units[name]} · ${moment(last.analysis.generated_at)}`;
  return (
    <Drawing class="trend" measure={name} about={about}>
      {points.length > 0 && <Course points={points} unit={units[name]} />}
    </Drawing>
  );
}

function Course({ points, unit }: { points: readonly Point[]; unit: string }) {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const x = scaleLinear([first, last], [edge, 100 - edge]);
  const limits = points.flatMap(({ value, spread }) => [value - spread, value + spread]);
  const y = scaleLinear(spanOf(limits, leastSpan), [bottom, top]);
  const upper = points.map(({ at, value, spread }) => point(x(at), y(value + spread)));
  const lower = points.map(({ at, value, spread }) => point(x(at), y(value - spread)));
  return (
    <svg class="plot" height={height}>
      <g aria-hidden="true">
        {y.ticks(4).map((tick) => (
          <>
            <line class="grid" x1="0" x2="100%" y1={y(tick).toFixed(1)} y2={y(tick).toFixed(1)} />
            <text x="-8" y={(y(tick) + 4).toFixed(1)} text-anchor="end">
              {number(tick)}
            </text>
          </>
        ))}
        {/* Only paths stretch with the page. */}
        <svg viewBox={`0 0 100 ${height}`} width="100%" height={height} preserveAspectRatio="none">
          <polygon class="band" points={[...upper, ...lower.reverse()].join(' ')} />
          <polyline
            class="line"
            points={points.map(({ at, value }) => point(x(at), y(value))).join(' ')}
          />
        </svg>
        {timeTicks(first, last, mostTicks).map(({ at, label }) => (
          <Tick x={x(at)} y={bottom}>
            {label.replace('\n', ' ')}
          </Tick>
        ))}
      </g>
      {points.length <= mostDots &&
        points.map(({ at, value, analysis: { generated_at, runs } }) => (
          <Dot
            class="dot"
            x={x(at)}
            y={y(value)}
            radius={3}
            href={`/runs/${runs[0]?.run_id ?? ''}`}
          >
            {`${moment(generated_at)}: ${average(value)} ${unit}`}
          </Dot>
        ))}
    </svg>
  );
}

function point(x: number, y: number): string {
  return `${x.toFixed(2)},${y.toFixed(1)}`;
}
