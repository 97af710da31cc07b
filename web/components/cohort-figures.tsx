import type { Cohort } from '../api/guards.js';
import { Sparkline } from '../charts/sparkline.js';
import { type AtAnalysis, cohortPoints } from '../charts/trend-points.js';
import { countOf, formatAverage, formatChange, formatCount } from '../format/format-number.js';
import { formatTime } from '../format/format-time.js';
import { type MeasureInfo, measures } from '../format/measures.js';
import { Swatch } from './swatch.js';

interface CohortFiguresProps {
  cohort: Cohort;
  /** The analyses up to this one, oldest first; none where only this run is shown. */
  history?: readonly AtAnalysis[];
  /** How the Pods differ from those of the analysis before; null where they do not. */
  otherCohort?: string | null;
}

/** The three figures of a cohort: the one that is shared large, the other two below it. */
export function CohortFigures({ cohort, history = [], otherCohort = null }: CohortFiguresProps) {
  return (
    <ul class="figures">
      {measures.map((measure) => {
        const { name, label, unit } = measure;
        return (
          <li key={name} class={name}>
            <h2>
              <Swatch measure={name} />
              {label}
            </h2>
            <p class="figure">
              <span class="value">{formatAverage(cohort.average_of_averages[name])}</span>{' '}
              <span class="unit">{unit}</span>
            </p>
            {history.length > 1 && (
              <Course
                measure={measure}
                cohort={cohort}
                history={history}
                otherCohort={otherCohort}
              />
            )}
            <dl>
              <div>
                <dt>Pooled over all readings</dt>
                <dd>
                  {formatAverage(cohort.pooled_average[name])} {unit}
                </dd>
              </div>
              <div>
                <dt>Spread between Pods</dt>
                <dd>
                  ± {formatAverage(cohort.spread_of_averages[name])} {unit}
                </dd>
              </div>
            </dl>
          </li>
        );
      })}
    </ul>
  );
}

interface CourseProps {
  measure: MeasureInfo;
  cohort: Cohort;
  history: readonly AtAnalysis[];
  otherCohort: string | null;
}

/** The change since the analysis before, and the course of those that are stored. */
function Course({ measure: { name, label, unit }, cohort, history, otherCohort }: CourseProps) {
  const now = cohort.average_of_averages[name];
  const before = history.at(-2);
  const then = before?.cohort.average_of_averages[name] ?? null;
  const points = cohortPoints(history, name);
  const [first, last] = [points[0], points.at(-1)];
  const counts = history.map((analysis) => analysis.cohort.included_pod_count);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  const pods =
    fewest === most ? formatCount(most) : `${formatCount(fewest)} to ${formatCount(most)}`;
  return (
    <div class="course">
      <p class="change">
        <strong>{now === null || then === null ? '–' : formatChange(now - then)}</strong>{' '}
        <span class="muted">since {formatTime(before?.generated_at ?? null)}</span>
        {otherCohort !== null && (
          <>
            <br />
            <span class="muted">with another cohort: {otherCohort}</span>
          </>
        )}
      </p>
      <Sparkline
        points={points}
        label={`${label}: from ${formatAverage(first?.value ?? null)} to ${formatAverage(last?.value ?? null)} ${unit}.`}
      />
      <p class="muted">
        {countOf(history.length, 'analysis', 'analyses')}, {pods} {most === 1 ? 'Pod' : 'Pods'}
      </p>
    </div>
  );
}
