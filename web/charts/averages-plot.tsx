import type { PodEntry } from '../../src/documents/results-document.js';
import type { Cohort } from '../api/guards.js';
import { Swatch } from '../components/swatch.js';
import { countOf, formatAverage } from '../format/format-number.js';
import { type MeasureInfo, measures } from '../format/measures.js';
import { splitPodId } from '../pods/pod-name.js';
import { linearScale, niceTicks, spanOf } from './scale.js';
import { stackDots } from './stack-dots.js';
import { useWidth } from './use-width.js';

const height = 92;
const middle = 36;
const axisAt = 70;
const edge = 14;
const dotSize = 9;
/** The narrowest axis: a handful of Pods that lie close together should look close together. */
const leastSpan = 20;

interface AveragesPlotProps {
  pods: readonly PodEntry[];
  cohort: Cohort;
}

/** One dot per Pod at its average, for each measure on an axis of its own. */
export function AveragesPlot({ pods, cohort }: AveragesPlotProps) {
  const [box, width] = useWidth();
  return (
    <div class="averages-plot" ref={box}>
      {measures.map((measure) => (
        <AveragesRow
          key={measure.name}
          measure={measure}
          pods={pods}
          cohort={cohort}
          width={width}
        />
      ))}
    </div>
  );
}

interface AveragesRowProps extends AveragesPlotProps {
  measure: MeasureInfo;
  width: number;
}

function AveragesRow({ measure, pods, cohort, width }: AveragesRowProps) {
  const { name, label, unit } = measure;
  const known = pods.flatMap((pod) => {
    const { average } = pod.measures[name];
    return average === null ? [] : [{ pod, average }];
  });
  const average = cohort.average_of_averages[name];
  const spread = cohort.spread_of_averages[name] ?? 0;
  const values = known.map((one) => one.average);
  const domain = spanOf(average === null ? values : [...values, average], leastSpan);
  const scale = linearScale(domain, [edge, width - edge]);
  const dots = stackDots(
    known.map(({ pod, average: own }) => ({ item: { pod, own }, x: scale(own) })),
    dotSize,
    middle - dotSize,
  );
  const hidden = known.length - dots.length;
  const summary =
    known.length === 0
      ? `${label}: no Pod has an average.`
      : `${label}: the averages of ${countOf(known.length, 'Pod')} lie between ${formatAverage(Math.min(...values))} and ${formatAverage(Math.max(...values))} ${unit}; the average of averages is ${formatAverage(average)} ${unit}.`;
  return (
    <figure class={`averages-row ${name}`}>
      <figcaption>
        <Swatch measure={name} />
        {label}{' '}
        <span class="muted">
          {unit}
          {hidden > 0 && ` · ${countOf(hidden, 'more Pod')} behind these dots`}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={summary}>
        {average !== null && (
          <rect
            class="band"
            x={scale(average - spread)}
            width={scale(average + spread) - scale(average - spread)}
            y="4"
            height={axisAt - 4}
          />
        )}
        <line class="axis" x1={edge} x2={width - edge} y1={axisAt} y2={axisAt} />
        {niceTicks(domain, width / 90).map((tick) => (
          <g key={tick}>
            <line class="axis" x1={scale(tick)} x2={scale(tick)} y1={axisAt} y2={axisAt + 4} />
            <text class="tick" x={scale(tick)} y={axisAt + 17} text-anchor="middle">
              {tick}
            </text>
          </g>
        ))}
        {average !== null && (
          <line class="mean" x1={scale(average)} x2={scale(average)} y1="4" y2={axisAt} />
        )}
        {dots.map(({ item: { pod, own }, x, offset }) => (
          <circle
            key={pod.pod_id}
            class={pod.included_in_cohort ? 'dot' : 'dot left-out'}
            cx={x}
            cy={middle + offset}
            r={dotSize / 2 - 0.5}
          >
            <title>{`${splitPodId(pod).name}: ${formatAverage(own)} ${unit}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  );
}
