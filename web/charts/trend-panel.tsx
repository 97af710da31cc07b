import { Swatch } from '../components/swatch.js';
import { formatAverage } from '../format/format-number.js';
import { formatDay, formatTime } from '../format/format-time.js';
import type { MeasureInfo } from '../format/measures.js';
import type { HistoryRun } from '../history/history-entry.js';
import { linearScale, niceTicks, spanOf } from './scale.js';

const height = 168;
const plot = { top: 10, bottom: 140, left: 38, edge: 10 };
const leastSpan = 12;

interface TrendPanelProps {
  measure: MeasureInfo;
  /** Oldest first. */
  runs: readonly HistoryRun[];
  width: number;
  pointed: HistoryRun | null;
  onPoint: (run: HistoryRun | null) => void;
}

/** The cohort average of one measure from run to run; the band is one spread to either side. */
export function TrendPanel({ measure, runs, width, pointed, onPoint }: TrendPanelProps) {
  const { name, label, unit } = measure;
  const points = runs.flatMap((run) => {
    const average = run.cohort.average_of_averages[name];
    const spread = run.cohort.spread_of_averages[name] ?? 0;
    return average === null ? [] : [{ run, time: Date.parse(run.generatedAt), average, spread }];
  });
  const first = points[0];
  const last = points.at(-1);
  const ends = points.flatMap(({ average, spread }) => [average - spread, average + spread]);
  const domain = spanOf(ends, leastSpan);
  const y = linearScale(domain, [plot.bottom, plot.top]);
  const x = linearScale(
    [first?.time ?? 0, last?.time ?? 0],
    [plot.left + plot.edge, width - plot.edge],
  );
  const shown = points.find((point) => point.run === pointed) ?? last;
  const place = (time: number, value: number) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`;
  const upper = points.map((point) => place(point.time, point.average + point.spread));
  const lower = points.map((point) => place(point.time, point.average - point.spread)).reverse();

  const pointAt = (event: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const { left, width: drawn } = event.currentTarget.getBoundingClientRect();
    const at = ((event.clientX - left) / drawn) * width;
    const distance = (time: number) => Math.abs(x(time) - at);
    const nearest = points.reduce<(typeof points)[number] | undefined>(
      (best, point) =>
        best !== undefined && distance(best.time) <= distance(point.time) ? best : point,
      undefined,
    );
    onPoint(nearest?.run ?? null);
  };

  return (
    <figure class={`trend ${name}`}>
      <figcaption>
        <h3>
          <Swatch measure={name} />
          {label}
        </h3>
        {shown !== undefined && (
          <p>
            <strong>
              {formatAverage(shown.average)} {unit}
            </strong>{' '}
            <span class="muted">
              ± {formatAverage(shown.spread)} · {formatTime(shown.run.generatedAt)}
            </span>
          </p>
        )}
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={describe(label, unit, first, last, points.length)}
        onPointerMove={pointAt}
        onPointerLeave={() => onPoint(null)}
      >
        {niceTicks(domain, 4).map((tick) => (
          <g key={tick}>
            <line class="grid" x1={plot.left} x2={width} y1={y(tick)} y2={y(tick)} />
            <text class="tick" x={plot.left - 8} y={y(tick) + 4} text-anchor="end">
              {tick}
            </text>
          </g>
        ))}
        {points.length > 1 && <polygon class="band" points={[...upper, ...lower].join(' ')} />}
        <polyline
          class="line"
          points={points.map((point) => place(point.time, point.average)).join(' ')}
        />
        {points.map((point) => (
          <circle
            key={point.run.runId}
            class={point === shown ? 'dot shown' : 'dot'}
            cx={x(point.time)}
            cy={y(point.average)}
            r={point === shown ? 5 : 2.5}
          />
        ))}
        {first !== undefined && last !== undefined && first !== last && (
          <text class="tick" x={plot.left} y={height - 6}>
            {formatDay(first.run.generatedAt)}
          </text>
        )}
        {last !== undefined && (
          <text class="tick" x={width - 2} y={height - 6} text-anchor="end">
            {formatDay(last.run.generatedAt)}
          </text>
        )}
      </svg>
    </figure>
  );
}

function describe(
  label: string,
  unit: string,
  first: { run: HistoryRun; average: number } | undefined,
  last: { run: HistoryRun; average: number } | undefined,
  count: number,
): string {
  if (first === undefined || last === undefined) return `${label}: no run has a cohort average.`;
  const at = (point: typeof first) =>
    `${formatAverage(point.average)} ${unit} on ${formatDay(point.run.generatedAt)}`;
  return `${label}, cohort average over ${count} runs: from ${at(first)} to ${at(last)}. The table below has every run.`;
}
