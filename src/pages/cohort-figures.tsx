import { measureNames, units } from '../analysis/reading.js';
import { describePeriod } from '../base/study-period.js';
import { measureTitles } from '../chart/chart-words.js';
import type { ResultsDocument } from '../documents/results-document.js';
import { Facts, Swatch } from './blocks.js';
import { average, counted, number } from './words.js';

/** For each measure the average of averages, which is shared, large; what else is known of the cohort below it. */
export function CohortFigures({ cohort }: { cohort: ResultsDocument['cohort'] }) {
  return (
    <ul class="figures">
      {measureNames.map((name) => (
        <li class={`card ${name}`}>
          <h2>
            <Swatch measure={name} /> {measureTitles[name]}
          </h2>
          <p class="figure">
            <strong>{average(cohort.average_of_averages[name])}</strong> {units[name]}
          </p>
          <Facts
            rows={[
              [
                'Pooled over all readings',
                `${average(cohort.pooled_average[name])} ${units[name]}`,
              ],
              [
                'Spread between Pods',
                `± ${average(cohort.spread_of_averages[name])} ${units[name]}`,
              ],
            ]}
          />
        </li>
      ))}
    </ul>
  );
}

export function RunCounts({ results: { cohort, analysis } }: { results: ResultsDocument }) {
  const { pod_count, included_pod_count, carried_pod_count = 0, observation_count } = cohort;
  const { window_days, period, minimum_observations } = analysis;
  const leftOut = pod_count - included_pod_count;
  const pods = [
    number(included_pod_count),
    leftOut === 0 ? 'all that were read' : `${number(leftOut)} of ${number(pod_count)} left out`,
    ...(carried_pod_count === 0 ? [] : [`${number(carried_pod_count)} with earlier figures`]),
  ];
  return (
    <Facts
      rows={[
        ['Pods', pods.join(', ')],
        ['Readings of the Pods that count', number(observation_count)],
        [
          'Window',
          window_days === null ? 'All history' : `The latest ${counted(window_days, 'day')}`,
        ],
        ...(period === undefined ? [] : [['Study period', describePeriod(period)] as const]),
        ['Minimum in a Pod that counts', counted(minimum_observations, 'reading')],
      ]}
    />
  );
}
