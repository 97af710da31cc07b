import { measureNames } from '../analysis/reading.js';
import {
  type AnalysisSummary,
  failedDeliveriesOf,
  warningsOf,
} from '../documents/analysis-summary.js';
import type { ResultsDocument } from '../documents/results-document.js';

type Cell = string | number | boolean | null;

const measureFields = ['average', 'minimum', 'maximum', 'standard_deviation', 'count'] as const;
const cohortFields = ['average_of_averages', 'pooled_average', 'spread_of_averages'] as const;

const perMeasure = (fields: readonly string[]) =>
  measureNames.flatMap((name) => fields.map((field) => `${name}_${field}`));

export function podsAsCsv({ run_id, generated_at, pods }: ResultsDocument): string {
  const own = [
    'pod_id',
    'web_id',
    'included_in_cohort',
    'observation_count',
    'files_read',
    'files_skipped',
    'first_observation',
    'last_observation',
  ] as const;
  return toCsv(
    ['run_id', 'generated_at', ...own, ...perMeasure(measureFields), 'carried_from'],
    pods.map((pod) => [
      run_id,
      generated_at,
      ...own.map((key) => pod[key]),
      ...measureNames.flatMap((name) => measureFields.map((field) => pod.measures[name][field])),
      pod.carried?.from ?? null,
    ]),
  );
}

export function historyAsCsv(history: readonly AnalysisSummary[]): string {
  const counts = ['pod_count', 'included_pod_count', 'observation_count'] as const;
  const ends = ['warnings', 'failed_deliveries'];
  return toCsv(
    ['run_id', 'generated_at', ...counts, ...perMeasure(cohortFields), ...ends],
    history.map(({ generated_at, cohort, runs }) => [
      runs[0]?.run_id ?? null,
      generated_at,
      ...counts.map((key) => cohort[key]),
      ...measureNames.flatMap((name) => cohortFields.map((field) => cohort[field][name])),
      warningsOf(runs),
      failedDeliveriesOf(runs),
    ]),
  );
}

/** RFC 4180. Text that a spreadsheet would run as a formula is marked as text. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
