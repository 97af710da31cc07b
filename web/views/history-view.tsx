import { useState } from 'preact/hooks';
import { Trend } from '../charts/trend.js';
import { Loading } from '../components/loading.js';
import { MoreButton } from '../components/more-button.js';
import { PageHeading } from '../components/page-heading.js';
import { ProblemNotice } from '../components/problem-notice.js';
import { Section } from '../components/section.js';
import { countOf } from '../format/format-number.js';
import { runsUntil } from '../history/choose-runs.js';
import { RunsTable } from '../history/runs-table.js';
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
  const runIds = stored.ids;
  const until = params.get('until') ?? '';
  const chosen = runsUntil(runIds, until);
  const [limit, setLimit] = useState(step);
  const entries = useHistory(chosen.slice(0, limit), live.loadedAt ?? 0);
  const runs = entries.flatMap((entry) => (entry.state === 'read' ? [entry.run] : [])).reverse();
  return (
    <>
      <PageHeading title="History" />
      <p class="lead">How the cohort’s averages developed from run to run.</p>
      {stored.state === 'waiting' && live.problem === null && <Loading what="the list of runs" />}
      {stored.problem !== null && live.problem === null && (
        <ProblemNotice title="The runs cannot be listed" problem={stored.problem} />
      )}
      {runs.length > 0 && (
        <Section
          title="Cohort averages"
          hint="The line is the average of averages, the band one spread between Pods to either side."
        >
          <Trend runs={runs} />
        </Section>
      )}
      {stored.state === 'listed' && (
        <Section title="Runs" hint={`${countOf(runIds.length, 'run')} stored, the newest first.`}>
          <label class="until">
            <span>Up to and including (UTC)</span>
            <input
              type="date"
              value={until}
              onChange={(event) => {
                const day = event.currentTarget.value;
                onParams(new URLSearchParams(day === '' ? {} : { until: day }));
              }}
            />
          </label>
          {entries.length > 0 ? (
            <RunsTable entries={entries} />
          ) : (
            <p class="muted">
              {runIds.length === 0 ? 'No run is stored yet.' : 'No run is that old.'}
            </p>
          )}
          <MoreButton
            shown={entries.length}
            total={chosen.length}
            step={step}
            what="runs"
            onMore={() => setLimit(limit + step)}
          />
        </Section>
      )}
    </>
  );
}
