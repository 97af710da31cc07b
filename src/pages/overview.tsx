import type { ResultsDocument } from '../documents/results-document.js';
import type { ServiceState } from '../store/service-state.js';
import { Facts, Notice, Section } from './blocks.js';
import { CohortFigures, RunCounts } from './cohort-figures.js';
import { Strips } from './drawings/strips.js';
import { Missing } from './missing.js';
import type { PageAddress } from './page-address.js';
import { SharedBack } from './shared-back.js';
import { describeProgress } from './shell.js';
import type { History } from './stored-analyses.js';
import { moment } from './words.js';

interface OverviewProps {
  results: ResultsDocument;
  /** This analysis and some before it, newest first. */
  history: History;
  before: ResultsDocument | null;
  address: PageAddress;
  /** What the service is doing now; null on the page of a stored run, to which that does not belong. */
  service: { state: ServiceState | null; now: Date } | null;
}

/** One run in full: what the cohort is, who is missing, and what became of the results. */
export function Overview({ results, history, before, address, service }: OverviewProps) {
  const { cohort, pods } = results;
  return (
    <>
      {cohort.pod_count === 0 && <NoReadings />}
      <CohortFigures cohort={cohort} history={history} />
      <RunCounts results={results} />
      <Missing results={results} before={before} address={address} />
      {pods.length > 0 && (
        <Section
          title="The Pods’ averages"
          hint="One dot is one Pod. The line is the average of averages, the band one spread to either side; hollow dots are left out of it."
        >
          <Strips results={results} address={address} />
          <p>
            <a href={`${address.run}pods`}>All Pods as a table</a>
          </p>
        </Section>
      )}
      <div class="columns">
        {service === null ? (
          <ThisRun results={results} address={address} />
        ) : (
          <Service results={results} address={address} {...service} />
        )}
        <SharedBack sharing={results.sharing} />
      </div>
    </>
  );
}

function NoReadings() {
  return (
    <Notice title="This run found no readings">
      <p>
        Nothing that is shared with the Analyser could be read, so there is nothing to average. The
        warnings, if there are any, say why; <code>./run.sh check</code> prints what is shared.
      </p>
    </Notice>
  );
}

function ThisRun({ results, address }: { results: ResultsDocument; address: PageAddress }) {
  const { run_id, requested_by, analyser, warnings } = results;
  return (
    <Section title="This run">
      <Facts
        rows={[
          ['Asked for by', requested_by ?? 'Nobody: run for every Pod'],
          ['Analyser', analyser.web_id],
          ['Storage server', analyser.server_url],
          [
            'Warnings',
            warnings.length === 0 ? (
              'None'
            ) : (
              <a href={`${address.run}warnings`}>What was skipped</a>
            ),
          ],
          ['As JSON', <a href={`${address.root}api/runs/${run_id}`}>Results document</a>],
        ]}
      />
    </Section>
  );
}

interface ServiceProps {
  results: ResultsDocument;
  address: PageAddress;
  state: ServiceState | null;
  now: Date;
}

function Service({ results, address, state, now }: ServiceProps) {
  const stopped = state?.last_cancelled?.finished_at ?? null;
  return (
    <Section title="Service">
      <Facts
        rows={[
          ['Now', describeNow(state, now)],
          ['Last run', <LastRun results={results} address={address} state={state} />],
          ['Last cancelled', moment(stopped)],
          ['Analyser', results.analyser.web_id],
        ]}
      />
    </Section>
  );
}

function describeNow(state: ServiceState | null, now: Date): string {
  if (state === null) return 'Unknown';
  const { running, interrupted, analyser } = state;
  if (running !== null && interrupted === null) {
    return `An analysis is running: ${describeProgress(running, now)}`;
  }
  if (analyser?.state === 'killed') return 'Its process was killed';
  if (analyser?.state === 'stopped') return `Stopped at ${moment(analyser.at)}`;
  return 'No analysis is running';
}

const outcomes = { COMPLETED: 'Completed', NO_DATA: 'No readable data', FAILED: 'Failed' } as const;

function LastRun({ results, address, state }: Omit<ServiceProps, 'now'>) {
  const last = state?.last_run ?? null;
  if (last === null) return <>–</>;
  const { run_id, status, message, finished_at } = last;
  const outcome = outcomes[status];
  // A run has one time everywhere: that of its results.
  const time = run_id === results.run_id ? results.generated_at : finished_at;
  return (
    <>
      {run_id === null || status === 'FAILED' ? (
        outcome
      ) : (
        <a href={`${address.root}runs/${run_id}`}>{outcome}</a>
      )}
      , {moment(time)}
      {status !== 'COMPLETED' && message !== '' && <p class="muted">{message}</p>}
    </>
  );
}
