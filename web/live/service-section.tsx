import type { ResultsDocument } from '../../src/documents/results-document.js';
import { Facts } from '../components/facts.js';
import { Section } from '../components/section.js';
import { TimeText } from '../components/time-text.js';
import { formatBytes } from '../format/format-number.js';
import { hrefTo } from '../routing/route.js';
import type { Live } from './live.js';
import { analysisAtWork, describeProgress, type ServiceStatus } from './status.js';

export function ServiceSection({ live, results }: { live: Live; results: ResultsDocument }) {
  const { status } = live;
  return (
    <Section title="Service">
      <Facts
        rows={[
          ['Now', <NowText key="now" status={status} />],
          ['Last run', <LastRunText key="last" status={status} results={results} />],
          [
            'Last cancelled',
            <TimeText key="cancelled" iso={status?.last_cancelled?.finished_at ?? null} />,
          ],
          ['Runs and charts', describeStored(status?.stored ?? null)],
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

function describeStored(stored: ServiceStatus['stored']): string {
  if (stored === null || stored === undefined) return '–';
  const { bytes, bytes_per_day: perDay } = stored;
  return `${formatBytes(bytes)}, ${formatBytes(perDay)} more each day`;
}

function NowText({ status }: { status: ServiceStatus | null }) {
  if (status === null) return <>Unknown</>;
  const { analyser, interrupted, time } = status;
  const running = analysisAtWork(status);
  if (running !== null) {
    return (
      <>
        An analysis is running since <TimeText iso={running.started_at} />
        <br />
        {describeProgress(running, time)}
      </>
    );
  }
  return (
    <>
      {analyser?.state === 'silent' && (
        <>
          The analyser has not been heard of since <TimeText iso={analyser.at} />
        </>
      )}
      {analyser?.state === 'stopped' && (
        <>
          Stopped at <TimeText iso={analyser.at} />
        </>
      )}
      {(analyser === null || analyser.state === 'alive') && 'No analysis is running'}
      {interrupted !== null && (
        <>
          <br />
          <span class="muted">
            A run began <TimeText iso={interrupted.started_at} /> and has not reported its end
          </span>
        </>
      )}
    </>
  );
}

const outcomes = {
  COMPLETED: 'Completed',
  NO_DATA: 'No readable data',
  FAILED: 'Failed',
} as const;

interface LastRunTextProps {
  status: ServiceStatus | null;
  results: ResultsDocument;
}

function LastRunText({ status, results }: LastRunTextProps) {
  const run = status?.last_run ?? null;
  if (run === null) return <>–</>;
  const outcome = outcomes[run.status];
  // A run has one time everywhere: that of its results.
  const time = run.run_id === results.run_id ? results.generated_at : run.finished_at;
  return (
    <>
      {run.run_id === null || run.status === 'FAILED' ? (
        outcome
      ) : (
        <a href={hrefTo({ view: 'run', runId: run.run_id })}>{outcome}</a>
      )}
      , <TimeText iso={time} />
      {run.status !== 'COMPLETED' && run.message !== '' && (
        <>
          <br />
          <span class="muted">{run.message}</span>
        </>
      )}
    </>
  );
}
