import { useMemo, useState } from 'preact/hooks';
import { cohortPoints } from '../charts/trend-points.js';
import { Loading } from '../components/loading.js';
import { MoreButton } from '../components/more-button.js';
import { PageHeading } from '../components/page-heading.js';
import { ProblemNotice } from '../components/problem-notice.js';
import { Section } from '../components/section.js';
import { CsvButton } from '../csv/csv-button.js';
import { runsAsCsv } from '../csv/tables.js';
import { countOf } from '../format/format-number.js';
import { readRange, runsIn } from '../history/choose-runs.js';
import { RangeControls } from '../history/range-controls.js';
import { RunsTable } from '../history/runs-table.js';
import { TrendSection } from '../history/trend-section.js';
import { useHistory } from '../history/use-history.js';
import type { StoredRuns } from '../history/use-stored-runs.js';
import type { Live } from '../live/live.js';

const step = 30;

interface HistoryViewProps {
  live: Live;
  stored: StoredRuns;
  params: URLSearchParams;
  onParams: (params: URLSearchParams) => void;
}

export function HistoryView({ live, stored, params, onParams }: HistoryViewProps) {
  const key = params.toString();
  const range = useMemo(() => readRange(new URLSearchParams(key), stored.ids), [stored.ids, key]);
  const chosen = useMemo(() => runsIn(stored.ids, range), [stored.ids, range]);
  return (
    <>
      <PageHeading title="History" />
      <p class="lead">How the cohort’s averages developed from analysis to analysis.</p>
      {stored.state === 'waiting' && live.problem === null && <Loading what="the list of runs" />}
      {stored.problem !== null && live.problem === null && (
        <ProblemNotice title="The runs cannot be listed" problem={stored.problem} />
      )}
      {stored.state === 'listed' && <RangeControls range={range} onParams={onParams} />}
      <TrendSection
        title="Cohort averages"
        hint="The line is the average of averages, the band one spread between Pods to either side. Callers who shared an analysis are one point."
        runIds={chosen}
        whole
        podId={null}
        pointsOf={cohortPoints}
        csv={{ fileName: 'cohort-trend.csv', content: runsAsCsv }}
      />
      {stored.state === 'listed' && (
        <RunsSection total={stored.ids.length} chosen={chosen} attempt={live.loadedAt ?? 0} />
      )}
    </>
  );
}

interface RunsSectionProps {
  total: number;
  chosen: readonly string[];
  attempt: number;
}

function RunsSection({ total, chosen, attempt }: RunsSectionProps) {
  const [limit, setLimit] = useState(step);
  const entries = useHistory(chosen.slice(0, limit), attempt);
  const read = entries.flatMap((entry) => (entry.state === 'read' ? [entry.run] : []));
  return (
    <Section title="Runs" hint={`${countOf(total, 'run')} stored, the newest first.`}>
      {entries.length > 0 ? (
        <RunsTable entries={entries} />
      ) : (
        <p class="muted">
          {total === 0 ? 'No run is stored yet.' : 'No run of these days is stored.'}
        </p>
      )}
      <MoreButton
        shown={entries.length}
        total={chosen.length}
        step={step}
        what="runs"
        onMore={() => setLimit(limit + step)}
      />
      {read.length > 0 && (
        <p class="more">
          <CsvButton
            what={read.length === 1 ? 'this run' : `these ${read.length} runs`}
            fileName="runs.csv"
            content={() => runsAsCsv(read)}
          />
        </p>
      )}
    </Section>
  );
}
