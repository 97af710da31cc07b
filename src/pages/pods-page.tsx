import { measureNames, units } from '../analysis/reading.js';
import { measureTitles } from '../chart/chart-words.js';
import type { PodRecord, ResultsDocument } from '../documents/results-document.js';
import { type Column, Table } from './blocks.js';
import { PodLabel } from './pod-name.js';
import { describeStanding, standingOf } from './standing.js';
import { average, counted, day, number } from './words.js';

interface PodColumn extends Column<PodRecord> {
  name: string;
  /** By what the column sorts; what is null stays at the end. */
  key: (pod: PodRecord) => string | number | null;
}

const states = ['whole', 'carried', 'out'] as const;

const columnsOf = (analysis: ResultsDocument['analysis']): readonly PodColumn[] => [
  {
    name: 'pod',
    title: 'Pod',
    key: ({ pod_id }) => pod_id,
    cell: (pod) => (
      <a href={`pods/${encodeURIComponent(pod.pod_id)}`}>
        <PodLabel pod={pod} />
      </a>
    ),
  },
  ...measureNames.map(
    (name): PodColumn => ({
      name,
      title: measureTitles[name],
      unit: units[name],
      key: ({ measures }) => measures[name].average,
      cell: ({ measures }) => average(measures[name].average),
    }),
  ),
  {
    name: 'readings',
    title: 'Readings',
    key: ({ observation_count }) => observation_count,
    cell: ({ observation_count }) => number(observation_count),
  },
  {
    name: 'files',
    title: 'Files skipped',
    key: ({ files_skipped }) => files_skipped,
    cell: ({ files_read, files_skipped }) => (
      <>
        {number(files_skipped)} <span class="muted">of {number(files_read + files_skipped)}</span>
      </>
    ),
  },
  {
    name: 'last',
    title: 'Last reading',
    key: ({ last_observation: last }) => last && momentOf(last),
    cell: ({ last_observation }) => day(last_observation),
  },
  {
    name: 'included',
    title: 'In averages',
    key: (pod) => states.indexOf(standingOf(pod, analysis).state),
    cell: (pod) => describeStanding(pod, analysis),
  },
];

/** On one page. A thousand rows are 300 kB. */
const MOST_ROWS = 1000;

interface PodsPageProps {
  results: ResultsDocument;
  /** `systolic`, or `-systolic` for the other way round. What is odd counts as not there. */
  sort: string | undefined;
}

/** The Pods of a run. */
export function PodsPage({ results: { pods, analysis }, sort = '' }: PodsPageProps) {
  const columns = columnsOf(analysis);
  const [, minus, name] = /^(-?)(\w+)$/.exec(sort) ?? [];
  const sorted = columns.find((column) => column.name === name) ?? columns[0];
  const order = minus === '-' ? 'descending' : 'ascending';
  const head = (column: PodColumn): Column<PodRecord> => {
    const own = column === sorted ? order : 'none';
    const address = `?sort=${own === 'ascending' ? '-' : ''}${column.name}`;
    return { ...column, order: own, title: <a href={address}>{column.title}</a> };
  };
  return (
    <>
      <p>
        {counted(pods.length, 'Pod')}
        {pods.length > MOST_ROWS && `; ${number(MOST_ROWS)} are shown, all are in the CSV`}
        {' · '}
        <a href="pods.csv">CSV</a>
      </p>
      <Table
        name="Pods"
        columns={columns.map(head)}
        rows={sortPods(pods, sorted, order === 'descending').slice(0, MOST_ROWS)}
      />
    </>
  );
}

const collator = new Intl.Collator('en', { numeric: true });

function sortPods(
  pods: readonly PodRecord[],
  column: PodColumn | undefined,
  isDescending: boolean,
): PodRecord[] {
  const byName = pods.toSorted((one, other) => collator.compare(one.pod_id, other.pod_id));
  return byName.sort((one, other) => {
    const [first = null, second = null] = [column?.key(one), column?.key(other)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    const order =
      typeof first === 'number' && typeof second === 'number'
        ? first - second
        : collator.compare(String(first), String(second));
    return isDescending ? -order : order;
  });
}

/** To compare: a reading without an offset counts as if its clock showed UTC. */
function momentOf(readingTime: string): number {
  return Date.parse(/T[\d:.]+$/.test(readingTime) ? `${readingTime}Z` : readingTime);
}
