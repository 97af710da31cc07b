import type { PodRecord } from '../documents/results-document.js';

/** The columns of the table of Pods, and by what each sorts. */
const keys = {
  pod: ({ pod_id }: PodRecord) => pod_id,
  systolic: ({ measures }: PodRecord) => measures.systolic.average,
  diastolic: ({ measures }: PodRecord) => measures.diastolic.average,
  heart_rate: ({ measures }: PodRecord) => measures.heart_rate.average,
  readings: ({ observation_count }: PodRecord) => observation_count,
  files: ({ files_skipped }: PodRecord) => files_skipped,
  last: ({ last_observation: last }: PodRecord) => last && momentOf(last),
  included: ({ included_in_cohort }: PodRecord) => Number(!included_in_cohort),
};
export type Column = keyof typeof keys;

const choices = {
  all: () => true,
  included: ({ included_in_cohort }: PodRecord) => included_in_cohort,
  earlier: ({ carried }: PodRecord) => carried !== undefined,
  'left-out': ({ included_in_cohort }: PodRecord) => !included_in_cohort,
};
export type Filter = keyof typeof choices;

export const filters: readonly Filter[] = ['all', 'included', 'earlier', 'left-out'];

export interface Arrangement {
  column: Column;
  descending: boolean;
  /** Matches anywhere in pod_id or WebID, whatever the case. */
  text: string;
  filter: Filter;
}

/** What the query of a page asks for: `sort=-systolic`, `q=alice`, `show=left-out`. What is odd counts as not there. */
export function readArrangement(query: URLSearchParams): Arrangement {
  const [, minus, name] = /^(-?)(\w+)$/.exec(query.get('sort') ?? '') ?? [];
  return {
    column: columns.find((known) => known === name) ?? 'pod',
    descending: minus === '-',
    text: query.get('q') ?? '',
    filter: filters.find((known) => known === query.get('show')) ?? 'all',
  };
}

export const columns: readonly Column[] = [
  'pod',
  'systolic',
  'diastolic',
  'heart_rate',
  'readings',
  'files',
  'last',
  'included',
];

export function arrangePods(
  pods: readonly PodRecord[],
  { column, descending, text, filter }: Arrangement,
): PodRecord[] {
  const wanted = text.trim().toLowerCase();
  const keyOf = keys[column];
  return pods
    .filter(choices[filter])
    .filter((pod) => `${pod.pod_id}\n${pod.web_id}`.toLowerCase().includes(wanted))
    .map((pod) => ({ pod, key: keyOf(pod) }))
    .sort((one, other) => {
      // What is missing stays at the end, whichever way the column is sorted.
      if (one.key === null || other.key === null) {
        return Number(one.key === null) - Number(other.key === null) || byName(one.pod, other.pod);
      }
      const order = compare(one.key, other.key);
      return (descending ? -order : order) || byName(one.pod, other.pod);
    })
    .map(({ pod }) => pod);
}

/** To compare: a reading without an offset counts as if its clock showed UTC. */
function momentOf(readingTime: string): number {
  return Date.parse(/T[\d:.]+$/.test(readingTime) ? `${readingTime}Z` : readingTime);
}

const collator = new Intl.Collator('en', { numeric: true });

function byName(one: PodRecord, other: PodRecord): number {
  return collator.compare(one.pod_id, other.pod_id);
}

function compare(one: string | number, other: string | number): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : collator.compare(String(one), String(other));
}
