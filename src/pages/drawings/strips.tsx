import { scaleLinear } from 'd3-scale';
import { type MeasureName, measureNames, units } from '../../analysis/reading.js';
import type { ResultsDocument } from '../../documents/results-document.js';
import { splitPodId } from '../pod-name.js';
import { average, counted } from '../words.js';
import { Dot, Drawing, percent, spanOf, Tick, top } from './plot.js';
import { stackDots } from './stack-dots.js';

const [middle, axisAt, rowHeight, radius] = [top + 32, top + 66, 9, 4];
/** Keeps the outermost dots inside. */
const edge = 1.5;
/** What a dot takes on a page of medium width, in hundredths. On a phone dots are drawn smaller. */
const dotWidth = 1.3;
/** The narrowest axis: a handful of Pods that lie close together should look close together. */
const leastSpan = 20;

/** For each measure an axis with a dot for each Pod at its average. A dot tells whose it is, and leads there. */
export function Strips({ results }: { results: ResultsDocument }) {
  return (
    <div class="card">
      {measureNames.map((name) => (
        <Strip name={name} results={results} />
      ))}
    </div>
  );
}

function Strip({ name, results }: { name: MeasureName; results: ResultsDocument }) {
  const { run_id, pods, cohort } = results;
  const known = pods.flatMap((pod) => {
    const value = pod.measures[name].average;
    return value === null ? [] : [{ pod, value }];
  });
  const mean = cohort.average_of_averages[name];
  const spread = cohort.spread_of_averages[name] ?? 0;
  const values = known.map(({ value }) => value).sort((one, other) => one - other);
  const domain = spanOf(mean === null ? values : [...values, mean], leastSpan);
  const x = scaleLinear(domain, [edge, 100 - edge]);
  const dots = stackDots(
    known.map((dot) => ({ ...dot, x: x(dot.value) })),
    dotWidth,
  );
  const hidden = known.length - dots.length;
  const range = `${units[name]}, from ${average(values[0])} to ${average(values.at(-1))}`;
  const behind = hidden > 0 ? ` · ${counted(hidden, 'more Pod')} behind these dots` : '';
  const about = known.length === 0 ? 'No Pod has an average of this measure.' : `${range}${behind}`;
  return (
    <Drawing class="averages-row" measure={name} about={about}>
      {known.length > 0 && (
        <svg class="plot" height={axisAt + 22}>
          <g aria-hidden="true">
            {mean !== null && (
              <rect
                class="band"
                x={percent(x(mean - spread))}
                width={percent(x(mean + spread) - x(mean - spread))}
                y={top}
                height={axisAt - top}
              />
            )}
            <line class="axis" x1="0" x2="100%" y1={axisAt} y2={axisAt} />
            {x.ticks(8).map((tick) => (
              <Tick x={x(tick)} y={axisAt}>
                {tick}
              </Tick>
            ))}
            {mean !== null && (
              <line class="mean" x1={percent(x(mean))} x2={percent(x(mean))} y1={top} y2={axisAt} />
            )}
          </g>
          {dots.map(({ pod, value, x, row }) => (
            <Dot
              class={pod.included_in_cohort ? 'dot' : 'dot left-out'}
              x={x}
              y={middle + row * rowHeight}
              radius={radius}
              href={`/runs/${run_id}/pods/${encodeURIComponent(pod.pod_id)}`}
            >
              {`${splitPodId(pod).name}: ${average(value)} ${units[name]}`}
            </Dot>
          ))}
        </svg>
      )}
    </Drawing>
  );
}
