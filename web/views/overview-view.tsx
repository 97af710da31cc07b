import type { ResultsDocument } from '../../src/documents/results-document.js';
import { type Analysis, isResultsDocument } from '../api/guards.js';
import { useAnswer } from '../api/use-answer.js';
import { AveragesPlot } from '../charts/averages-plot.js';
import { CohortFigures } from '../components/cohort-figures.js';
import { NoReadingsNotice } from '../components/no-readings-notice.js';
import { PageHeading } from '../components/page-heading.js';
import { Section } from '../components/section.js';
import { TimeText } from '../components/time-text.js';
import { formatClock } from '../format/format-time.js';
import type { Live } from '../live/live.js';
import { ServiceSection } from '../live/service-section.js';
import { compareCohorts } from '../pods/compare-cohorts.js';
import { hrefTo } from '../routing/route.js';
import { RunCounts } from './run-counts.js';
import { SharingSection } from './sharing-section.js';

interface OverviewViewProps {
  live: Live;
  /** The newest ones, newest first. */
  analyses: readonly Analysis[];
  results: ResultsDocument;
}

export function OverviewView({ live, analyses, results }: OverviewViewProps) {
  const { cohort, run_id } = results;
  const earlier = analyses.filter((analysis) => analysis.generated_at !== results.generated_at);
  const last = earlier[0]?.runs[0];
  const path = last === undefined ? null : `api/runs/${encodeURIComponent(last.run_id)}`;
  const answer = useAnswer(path, isResultsDocument, live.tick);
  const before = answer?.ok === true ? answer.value : null;
  return (
    <>
      <PageHeading
        title="The cohort now"
        above={
          <>
            <a href={hrefTo({ view: 'run', runId: run_id })}>
              Run of <TimeText iso={results.generated_at} />
            </a>
            {live.loadedAt !== null && <> · checked at {formatClock(live.loadedAt)}</>}
          </>
        }
      />
      <p class="lead">The average of the Pods’ averages: every Pod counts the same.</p>
      {cohort.pod_count === 0 && <NoReadingsNotice />}
      <CohortFigures
        cohort={cohort}
        history={[...earlier.toReversed(), results]}
        otherCohort={before === null ? null : compareCohorts(before.pods, results.pods)}
      />
      <RunCounts results={results} />
      {results.pods.length > 0 && (
        <Section
          title="The Pods’ averages"
          hint="One dot is one Pod. The line is the average of averages, the band one spread to either side; hollow dots are left out of it."
        >
          <AveragesPlot
            pods={results.pods}
            cohort={cohort}
            linkTo={(podId) => hrefTo({ view: 'pod', podId })}
          />
          <p>
            <a href={hrefTo({ view: 'pods' })}>All Pods as a table</a>
          </p>
        </Section>
      )}
      <div class="columns">
        <ServiceSection live={live} results={results} />
        <SharingSection sharing={results.sharing} />
      </div>
    </>
  );
}
