import type { PodEntry } from '../../src/documents/results-document.js';
import { formatAverage, formatCount } from '../format/format-number.js';
import { formatDay, formatReadingDay, formatReadingTime } from '../format/format-time.js';
import { type Arrangement, type PodColumn, podColumns } from './arrange-pods.js';
import { latestSentence } from './latest-sentence.js';
import { PodLabel } from './pod-label.js';

const titles: Record<PodColumn, { title: string; unit?: string }> = {
  pod: { title: 'Pod' },
  systolic: { title: 'Systolic', unit: 'mm Hg' },
  diastolic: { title: 'Diastolic', unit: 'mm Hg' },
  heart_rate: { title: 'Heart rate', unit: 'bpm' },
  home: { title: 'Home average', unit: 'mm Hg' },
  readings: { title: 'Readings' },
  files: { title: 'Files skipped' },
  last: { title: 'Last reading' },
  included: { title: 'In averages' },
};

interface PodsTableProps {
  pods: readonly PodEntry[];
  /** Where it is not, each row names its own. */
  knownHost: string;
  linkTo: (podId: string) => string;
  arrangement: Arrangement;
  onChange: (part: Partial<Arrangement>) => void;
}

export function PodsTable({ pods, knownHost, linkTo, arrangement, onChange }: PodsTableProps) {
  return (
    <table class="pods-table">
      <caption class="visually-hidden">
        Pods with their averages. The buttons in the column headings sort.
      </caption>
      <thead>
        <tr>
          {podColumns.map((column) => (
            <ColumnHead
              key={column}
              column={column}
              arrangement={arrangement}
              onSort={(descending) => onChange({ column, descending })}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {pods.map((pod) => (
          <tr key={pod.pod_id}>
            <th scope="row">
              <a href={linkTo(pod.pod_id)}>
                <PodLabel pod={pod} knownHost={knownHost} />
              </a>
            </th>
            <td>{formatAverage(pod.measures.systolic.average)}</td>
            <td>{formatAverage(pod.measures.diastolic.average)}</td>
            <td>{formatAverage(pod.measures.heart_rate.average)}</td>
            <HomeCell pod={pod} />
            <td>{formatCount(pod.observation_count)}</td>
            <td>
              {formatCount(pod.files_skipped)}{' '}
              <span class="muted">of {formatCount(pod.files_read + pod.files_skipped)}</span>
            </td>
            <td title={formatReadingTime(pod.last_observation)}>
              {formatReadingDay(pod.last_observation)}
            </td>
            <td>{describePlace(pod)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function HomeCell({ pod }: { pod: PodEntry }) {
  const { home = null } = pod;
  if (home === null) return <td>–</td>;
  const { systolic, diastolic } = home.average;
  return (
    <td title={latestSentence(pod) ?? undefined}>
      {formatAverage(systolic)} / {formatAverage(diastolic)}
    </td>
  );
}

function describePlace({ carried, included_in_cohort }: PodEntry): string {
  if (!included_in_cohort) return 'Left out';
  return carried === undefined ? 'Yes' : `Of ${formatDay(carried.from, 'UTC')}`;
}

interface ColumnHeadProps {
  column: PodColumn;
  arrangement: Arrangement;
  onSort: (descending: boolean) => void;
}

function ColumnHead({ column, arrangement, onSort }: ColumnHeadProps) {
  const { title, unit } = titles[column];
  const sorted = arrangement.column === column;
  const descending = sorted && arrangement.descending;
  return (
    <th scope="col" aria-sort={sorted ? (descending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" onClick={() => onSort(sorted && !descending)}>
        <span>
          {title}
          {unit !== undefined && <small>{unit}</small>}
        </span>
        <svg class="arrow" viewBox="0 0 10 14" aria-hidden="true">
          <path class="up" d="M5 1 9 6H1Z" />
          <path class="down" d="M5 13 1 8h8Z" />
        </svg>
      </button>
    </th>
  );
}
