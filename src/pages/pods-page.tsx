import type { PodRecord, ResultsDocument } from '../documents/results-document.js';
import { type Column, measureColumns, Table } from './blocks.js';
import { PodLabel } from './pod-name.js';
import { describeStanding, standingOf } from './standing.js';
import { average, counted, day, number } from './words.js';

const columnsOf = (analysis: ResultsDocument['analysis']): Column<PodRecord>[] => [
  {
    title: 'Pod',
    cell: (pod) => (
      <a href={`pods/${encodeURIComponent(pod.pod_id)}`}>
        <PodLabel pod={pod} />
      </a>
    ),
  },
  ...measureColumns(({ measures }: PodRecord, name) => average(measures[name].average)),
  { title: 'Readings', cell: ({ observation_count }) => number(observation_count) },
  {
    title: 'Files skipped',
    cell: ({ files_read, files_skipped }) => (
      <>
        {number(files_skipped)} <span class="muted">of {number(files_read + files_skipped)}</span>
      </>
    ),
  },
  { title: 'Last reading', cell: ({ last_observation }) => day(last_observation) },
  { title: 'In averages', cell: (pod) => describeStanding(pod, analysis) },
];

/** On one page. A thousand rows are 300 kB. */
const MOST_ROWS = 1000;

/** The Pods of a run: first those that are not in the averages with all that they share, then by name. */
export function PodsPage({ results: { pods, analysis } }: { results: ResultsDocument }) {
  const isWhole = (pod: PodRecord) => standingOf(pod, analysis).state === 'whole';
  const inOrder = pods.toSorted(
    (one, other) =>
      Number(isWhole(one)) - Number(isWhole(other)) || names.compare(one.pod_id, other.pod_id),
  );
  return (
    <>
      <p>
        {counted(pods.length, 'Pod')}
        {pods.length > MOST_ROWS && `; ${number(MOST_ROWS)} are shown, all are in the CSV`}
        {' · '}
        <a href="pods.csv">CSV</a>
      </p>
      <Table name="Pods" columns={columnsOf(analysis)} rows={inOrder.slice(0, MOST_ROWS)} />
    </>
  );
}

const names = new Intl.Collator('en', { numeric: true });
