import { DAY_MS } from '../base/utc-time.js';
import {
  type AnalysisSummary,
  failedDeliveriesOf,
  warningsOf,
} from '../documents/analysis-summary.js';
import { type Column, measureColumns, Section, Table } from './blocks.js';
import { Trend } from './drawings/trend.js';
import { average, counted, moment, number } from './words.js';

const MOST_ROWS = 500;

const choices = ['7', '30', '90', 'all'] as const;
type Days = (typeof choices)[number];

interface HistoryPageProps {
  history: readonly AnalysisSummary[];
  days: string | undefined;
}

export function HistoryPage({ history, days }: HistoryPageProps) {
  const chosen = choices.find((known) => known === days) ?? '30';
  const shown = lastDays(history, chosen);
  return (
    <>
      <nav aria-label="Days">
        {choices.map((choice) => (
          <a href={`?days=${choice}`} aria-current={choice === chosen ? 'true' : undefined}>
            {choice === 'all' ? 'All' : `${choice} days`}
          </a>
        ))}
      </nav>
      <Section
        title="Cohort averages"
        hint={
          <>
            The line is the average of averages, the band one spread between Pods to either side.
            Callers who shared an analysis are one point. <a href="#analyses">The table</a> has the
            same figures.
          </>
        }
      >
        {shown.length < 2 ? (
          <p class="muted">The course appears from the second analysis on.</p>
        ) : (
          <Trend history={shown} />
        )}
      </Section>
      <Section
        title="Analyses"
        hint={`${counted(shown.length, 'analysis', 'analyses')} in these days, the newest first${shown.length > MOST_ROWS ? `; ${MOST_ROWS} are shown` : ''}. The CSV has all that are stored.`}
      >
        <Table name="Analyses" id="analyses" columns={columns} rows={shown.slice(0, MOST_ROWS)} />
        <p>
          <a href="history.csv">CSV</a>
        </p>
      </Section>
    </>
  );
}

function lastDays(history: readonly AnalysisSummary[], days: Days): readonly AnalysisSummary[] {
  const timeOf = ({ generated_at }: AnalysisSummary) => Date.parse(generated_at);
  const [last] = history;
  if (days === 'all' || last === undefined) return history;
  const newest = timeOf(last);
  const oldest = newest - Number(days) * DAY_MS;
  // A clock may have run ahead once.
  return history.filter((one) => timeOf(one) > oldest && timeOf(one) <= newest);
}

const columns: Column<AnalysisSummary>[] = [
  {
    title: 'Analysis',
    cell: ({ generated_at, runs }) => (
      <>
        <a href={`/runs/${runs[0]?.run_id ?? ''}`}>{moment(generated_at)}</a>
        {runs.length > 1 && <Runs runs={runs} />}
      </>
    ),
  },
  ...measureColumns(({ cohort }: AnalysisSummary, name) =>
    average(cohort.average_of_averages[name]),
  ),
  {
    title: 'Pods',
    cell: ({ cohort }) => (
      <>
        {number(cohort.included_pod_count)} <span class="muted">of {number(cohort.pod_count)}</span>
      </>
    ),
  },
  { title: 'Readings', cell: ({ cohort }) => number(cohort.observation_count) },
  { title: 'Warnings', cell: ({ runs }) => number(warningsOf(runs)) },
  { title: 'Not delivered', cell: ({ runs }) => number(failedDeliveriesOf(runs)) },
];

/** Callers who shared an analysis have a run each. */
function Runs({ runs }: { runs: AnalysisSummary['runs'] }) {
  return (
    <details>
      <summary class="muted">{counted(runs.length, 'run')}</summary>
      <ul class="list long">
        {runs.map(({ run_id, failed_deliveries }) => (
          <li>
            <a href={`/runs/${run_id}`}>{run_id}</a>
            {failed_deliveries > 0 && `, ${number(failed_deliveries)} not delivered`}
          </li>
        ))}
      </ul>
    </details>
  );
}
