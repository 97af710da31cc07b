import type { ResultsDocument } from '../documents/results-document.js';
import { Facts, Lines, Notice, Section } from './blocks.js';
import { CohortFigures, RunCounts } from './cohort-figures.js';
import { Strips } from './drawings/strips.js';
import { Missing, type RunAndBefore } from './missing.js';
import { counted } from './words.js';

export function Overview({ results, before }: RunAndBefore) {
  const { cohort, pods, run_id, requested_by, analyser } = results;
  return (
    <>
      {cohort.pod_count === 0 && <NoReadings />}
      <CohortFigures cohort={cohort} />
      <RunCounts results={results} />
      <Missing results={results} before={before} />
      {pods.length > 0 && (
        <Section
          title="The Pods’ averages"
          hint={
            <>
              One dot is one Pod. The line is the average of averages, the band one spread to either
              side; hollow dots are left out of it.{' '}
              <a href={`/runs/${run_id}/pods`}>All Pods as a table</a>
            </>
          }
        >
          <Strips results={results} />
        </Section>
      )}
      <Warnings results={results} />
      <div class="columns">
        <Section title="This run">
          <Facts
            rows={[
              ['Asked for by', requested_by ?? 'Nobody: run for every Pod'],
              ['Analyser', analyser.web_id],
              ['Storage server', analyser.server_url],
              ['As JSON', <a href={`/api/runs/${run_id}`}>Results document</a>],
            ]}
          />
        </Section>
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
        warnings, if there are any, say why; the mode <code>check</code> prints what is shared.
      </p>
    </Notice>
  );
}

function Warnings({ results: { warnings } }: { results: ResultsDocument }) {
  if (warnings.length === 0) return null;
  return (
    <Section
      title={counted(warnings.length, 'warning')}
      hint="What the run left out, and why. docs/troubleshooting.md says what to do about each."
    >
      <div class="card">
        <Lines lines={warnings} />
      </div>
    </Section>
  );
}

function SharedBack({ sharing }: { sharing: ResultsDocument['sharing'] }) {
  const failures = sharing.published.flatMap(({ failures: reasons }) => Object.entries(reasons));
  const delivered = sharing.published.filter(
    ({ failures: reasons }) => Object.keys(reasons).length === 0,
  );
  return (
    <Section title="Shared back">
      {!sharing.enabled && <p>Write-back was switched off: nothing was published.</p>}
      {sharing.enabled && sharing.published.length === 0 && <p>Nothing was published.</p>}
      {delivered.length > 0 && (
        <p>{counted(delivered.length, 'document')} delivered to the Pods that they are for.</p>
      )}
      {failures.length > 0 && (
        <>
          <p>{counted(failures.length, 'delivery', 'deliveries')} failed:</p>
          <ul class="list long">
            {failures.map(([recipient, reason]) => (
              <li>
                {recipient}
                <br />
                <span class="muted">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
