import type { ResultsDocument } from '../../src/documents/results-document.js';
import { AveragesPlot } from '../charts/averages-plot.js';
import { CohortFigures } from '../components/cohort-figures.js';
import { Facts } from '../components/facts.js';
import { NoReadingsNotice } from '../components/no-readings-notice.js';
import { PageHeading } from '../components/page-heading.js';
import { Section } from '../components/section.js';
import { formatTime } from '../format/format-time.js';
import { PodsSection } from '../pods/pods-section.js';
import { hrefTo } from '../routing/route.js';
import { useJump } from '../routing/use-jump.js';
import { WarningsList } from '../warnings/warnings-list.js';
import { RunCounts } from './run-counts.js';
import { SharingSection } from './sharing-section.js';

interface RunViewProps {
  results: ResultsDocument;
  params: URLSearchParams;
  onParams: (params: URLSearchParams) => void;
}

/** One stored run in full. */
export function RunView({ results, params, onParams }: RunViewProps) {
  const { run_id: runId, cohort, pods } = results;
  const failed = useJump('deliveries', params, onParams);
  const linkTo = (podId: string) => hrefTo({ view: 'run-pod', runId, podId });
  return (
    <>
      <PageHeading
        title={`Run of ${formatTime(results.generated_at)}`}
        above={<a href={hrefTo({ view: 'history' })}>All runs</a>}
      />
      <p class="lead">
        <code>{runId}</code>
      </p>
      {cohort.pod_count === 0 && <NoReadingsNotice />}
      <CohortFigures cohort={cohort} />
      <RunCounts results={results} />
      {pods.length > 0 && (
        <Section title="Pods">
          <AveragesPlot pods={pods} cohort={cohort} linkTo={linkTo} />
          <PodsSection results={results} linkTo={linkTo} params={params} onParams={onParams} />
        </Section>
      )}
      <Section title="Warnings">
        <WarningsList results={results} linkTo={linkTo} />
      </Section>
      <div class="columns">
        <Section title="This run">
          <Facts
            rows={[
              [
                'Asked for by',
                results.requested_by === null ? (
                  'Nobody: run for every Pod'
                ) : (
                  <span class="address">{results.requested_by}</span>
                ),
              ],
              ['Analyser', <span class="address">{results.analyser.web_id}</span>],
              ['Storage server', <span class="address">{results.analyser.server_url}</span>],
              ['As JSON', <a href={`api/runs/${encodeURIComponent(runId)}`}>results document</a>],
            ]}
          />
        </Section>
        <SharingSection sharing={results.sharing} failed={failed} />
      </div>
    </>
  );
}
