import type { PodEntry } from '../../src/documents/results-document.js';

export const podColumns = [
  'pod',
  'systolic',
  'diastolic',
  'heart_rate',
  'home',
  'readings',
  'files',
  'last',
  'included',
] as const;
export type PodColumn = (typeof podColumns)[number];

export const podFilters = ['all', 'included', 'left-out'] as const;
export type PodFilter = (typeof podFilters)[number];

export interface Arrangement {
  column: PodColumn;
  descending: boolean;
  /** Matches anywhere in pod_id or WebID, whatever the case. */
  text: string;
  filter: PodFilter;
}

const standard: Arrangement = { column: 'pod', descending: false, text: '', filter: 'all' };

export function readArrangement(params: URLSearchParams): Arrangement {
  const column = podColumns.find((name) => name === params.get('sort'));
  const filter = podFilters.find((name) => name === params.get('show'));
  return {
    column: column ?? standard.column,
    descending: params.get('dir') === 'desc',
    text: params.get('q') ?? standard.text,
    filter: filter ?? standard.filter,
  };
}

/** Leaves out what is standard, so that links stay short. */
export function writeArrangement(arrangement: Arrangement): URLSearchParams {
  const params = new URLSearchParams();
  if (arrangement.column !== standard.column) params.set('sort', arrangement.column);
  if (arrangement.descending) params.set('dir', 'desc');
  if (arrangement.text !== '') params.set('q', arrangement.text);
  if (arrangement.filter !== standard.filter) params.set('show', arrangement.filter);
  return params;
}

export function arrangePods(pods: readonly PodEntry[], arrangement: Arrangement): PodEntry[] {
  const { column, descending, filter } = arrangement;
  const text = arrangement.text.trim().toLowerCase();
  const direction = descending ? -1 : 1;
  return pods
    .filter((pod) => filter === 'all' || pod.included_in_cohort === (filter === 'included'))
    .filter((pod) => `${pod.pod_id}\n${pod.web_id}`.toLowerCase().includes(text))
    .sort((a, b) => {
      const [first, second] = [sortKey(a, column), sortKey(b, column)];
      // What is missing stays at the end, whichever way the column is sorted.
      if (first === null || second === null) {
        return first === second ? comparePodIds(a, b) : first === null ? 1 : -1;
      }
      return direction * compare(first, second) || comparePodIds(a, b);
    });
}

function sortKey(pod: PodEntry, column: PodColumn): string | number | null {
  switch (column) {
    case 'pod':
      return pod.pod_id;
    case 'systolic':
    case 'diastolic':
    case 'heart_rate':
      return pod.measures[column].average;
    case 'home':
      return pod.home?.average.systolic ?? null;
    case 'readings':
      return pod.observation_count;
    case 'files':
      return pod.files_skipped;
    case 'last':
      return pod.last_observation === null ? null : momentOf(pod.last_observation);
    case 'included':
      return pod.included_in_cohort ? 0 : 1;
  }
}

/** To compare: where a reading does not say where its clock hung, as if that was in UTC. */
function momentOf(readingTime: string): number {
  return Date.parse(/T[\d:.]+$/.test(readingTime) ? `${readingTime}Z` : readingTime);
}

const collator = new Intl.Collator('en', { numeric: true });

function comparePodIds(a: PodEntry, b: PodEntry): number {
  return collator.compare(a.pod_id, b.pod_id);
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number'
    ? a - b
    : collator.compare(String(a), String(b));
}
