import { describePeriod, type StudyPeriod } from '../../src/base/study-period.js';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { countOf, formatCount } from '../format/format-number.js';

type Count = [name: string, value: string, remark: string];

function ofPeriod(period: StudyPeriod): Count {
  return ['Study period', describePeriod(period), 'readings of other times do not count'];
}

/** What the figures above rest on. */
export function RunCounts({ results: { cohort, analysis } }: { results: ResultsDocument }) {
  const leftOut = cohort.pod_count - cohort.included_pod_count;
  const carried = cohort.carried_pod_count ?? 0;
  const { window_days: window, period } = analysis;
  const counts: Count[] = [
    [
      'Pods',
      formatCount(cohort.included_pod_count),
      [
        leftOut === 0
          ? 'all that were read'
          : `${formatCount(leftOut)} of ${formatCount(cohort.pod_count)} left out`,
        ...(carried === 0 ? [] : [`${formatCount(carried)} with figures of an earlier day`]),
      ].join(', '),
    ],
    ['Readings', formatCount(cohort.observation_count), 'of the Pods that count'],
    [
      'Window',
      window === null ? 'All history' : countOf(window, 'day'),
      window === null ? 'every reading counts' : 'the most recent ones',
    ],
    ...(period === undefined ? [] : [ofPeriod(period)]),
    ['Minimum', countOf(analysis.minimum_observations, 'reading'), 'in a Pod that counts'],
  ];
  return (
    <dl class="counts">
      {counts.map(([name, value, remark]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="value">{value}</span> <span class="muted">{remark}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
