import type { ResultsDocument } from '../../src/documents/results-document.js';
import { Facts } from '../components/facts.js';
import { Section } from '../components/section.js';
import { TimeText } from '../components/time-text.js';
import { hrefTo } from '../routing/route.js';
import type { Live } from './live.js';
import { isLeftBehind, type ServiceStatus } from './status.js';

export function ServiceSection({ live, results }: { live: Live; results: ResultsDocument }) {
  const { status } = live;
  return (
    <Section title="Service">
      <Facts
        rows={[
          ['Now', <RunningText key="now" status={status} />],
          ['Last run', <LastRunText key="last" status={status} />],
          [
            'Last cancelled',
            <TimeText key="cancelled" iso={status?.last_cancelled?.finished_at ?? null} />,
          ],
          [
            'Analyser',
            <span key="analyser" class="address">
              {results.analyser.web_id}
            </span>,
          ],
        ]}
      />
    </Section>
  );
}

function RunningText({ status }: { status: ServiceStatus | null }) {
  if (status === null) return <>Unknown</>;
  if (status.running === null) return <>No analysis is running</>;
  const since = status.running.started_at;
  return isLeftBehind(status) ? (
    <>
      A run began <TimeText iso={since} /> and has not reported its end; its process may have been
      stopped
    </>
  ) : (
    <>
      An analysis is running since <TimeText iso={since} />
    </>
  );
}

const outcomes = {
  COMPLETED: 'Completed',
  NO_DATA: 'No readable data',
  FAILED: 'Failed',
} as const;

function LastRunText({ status }: { status: ServiceStatus | null }) {
  const run = status?.last_run ?? null;
  if (run === null) return <>–</>;
  const outcome = outcomes[run.status];
  return (
    <>
      {run.run_id === null || run.status === 'FAILED' ? (
        outcome
      ) : (
        <a href={hrefTo({ view: 'run', runId: run.run_id })}>{outcome}</a>
      )}
      , <TimeText iso={run.finished_at} />
      {run.status !== 'COMPLETED' && run.message !== '' && (
        <>
          <br />
          <span class="muted">{run.message}</span>
        </>
      )}
    </>
  );
}
