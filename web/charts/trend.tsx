import type { TargetedPointerEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { linearScale } from '../../src/chart/layout/linear-scale.js';
import { formatAverage } from '../format/format-number.js';
import { formatTime } from '../format/format-time.js';
import { measures } from '../format/measures.js';
import { CountPanel } from './count-panel.js';
import { TrendPanel, trendPlot } from './trend-panel.js';
import type { AtAnalysis, PointsOf } from './trend-points.js';
import { useWidth } from './use-width.js';

interface TrendProps {
  analyses: readonly AtAnalysis[];
  pointsOf: PointsOf;
  label: string;
}

/** Points that would be closer are drawn as one, at their mean. */
const pixelsApart = 4;

/** One panel per measure over the same time; pointing at one, or arrow keys, read all at that analysis. */
export function Trend({ analyses: given, pointsOf, label }: TrendProps) {
  const [box, width] = useWidth();
  const [pointed, setPointed] = useState<AtAnalysis | null>(null);
  const analyses = useMemo(() => given.toSorted((a, b) => timeOf(a) - timeOf(b)), [given]);
  const panels = useMemo(
    () => measures.map((measure) => ({ measure, points: pointsOf(analyses, measure.name) })),
    [analyses, pointsOf],
  );
  const times = analyses.map(timeOf);
  const x = linearScale(
    [times[0] ?? 0, times.at(-1) ?? 0],
    [trendPlot.left + trendPlot.edge, width - trendPlot.edge],
  );
  const inARow = Math.ceil(analyses.length / Math.max(1, Math.floor(width / pixelsApart)));
  const pointAt = (event: TargetedPointerEvent<HTMLElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const distances = times.map((time) => Math.abs(x(time) - at));
    setPointed(analyses[distances.indexOf(Math.min(...distances))] ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = analyses.length - 1;
    const now = pointed === null ? last : analyses.indexOf(pointed);
    const to: Partial<Record<string, number>> = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      Home: 0,
      End: last,
    };
    const index = to[event.key];
    if (index === undefined) return;
    event.preventDefault();
    setPointed(analyses[Math.min(last, Math.max(0, index))] ?? null);
  };
  return (
    <div
      class="trends"
      role="group"
      aria-label={`${label}. Left and right arrow keys go from analysis to analysis.`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => setPointed(null)}
    >
      <div ref={box} onPointerMove={pointAt} onPointerLeave={() => setPointed(null)}>
        {panels.map(({ measure, points }) => (
          <TrendPanel
            key={measure.name}
            measure={measure}
            points={points}
            x={x}
            width={width}
            inARow={inARow}
            pointed={pointed?.generated_at ?? null}
          />
        ))}
        <CountPanel analyses={analyses} x={x} width={width} pointed={pointed} />
      </div>
      {inARow > 1 && (
        <p class="muted">
          There is not room for every analysis: the lines go from mean to mean of {inARow} in a row.
        </p>
      )}
      <p class="visually-hidden" role="status">
        {pointed !== null && describeAnalysis(pointed, pointsOf)}
      </p>
    </div>
  );
}

function timeOf({ generated_at }: AtAnalysis): number {
  return Date.parse(generated_at);
}

function describeAnalysis(analysis: AtAnalysis, pointsOf: PointsOf): string {
  const values = measures.flatMap(({ name, label, unit }) =>
    pointsOf([analysis], name).map(({ value }) => `${label} ${formatAverage(value)} ${unit}`),
  );
  return [formatTime(analysis.generated_at), ...values].join(', ');
}
