import { useState } from 'preact/hooks';
import { cohortPoints } from '../charts/trend-points.js';
import { Loading } from '../components/loading.js';
import { MoreButton } from '../components/more-button.js';
import { PageHeading } from '../components/page-heading.js';
import { ProblemNotice } from '../components/problem-notice.js';
import { Section } from '../components/section.js';
import { CsvButton } from '../csv/csv-button.js';
import { analysesAsCsv } from '../csv/tables.js';
import { countOf } from '../format/format-number.js';
import { AnalysesTable } from '../history/analyses-table.js';
import { readRange, toQuery } from '../history/choose-days.js';
import { RangeControls } from '../history/range-controls.js';
import { TrendSection } from '../history/trend-section.js';
import { type Analyses, useAnalyses } from '../history/use-analyses.js';
import type { Live } from '../live/live.js';

const step = 30;

interface HistoryViewProps {
  live: Live;
  /** Of all days. */
  newest: Analyses;
  params: URLSearchParams;
  onParams: (params: URLSearchParams) => void;
}

export function HistoryView({ live, newest, params, onParams }: HistoryViewProps) {
  const range = readRange(params, newest.analyses[0]?.generated_at ?? null);
  const isKnown = newest.analyses.length > 0 || !newest.loading;
  const found = useAnalyses(live, isKnown ? toQuery(range) : null);
  const { analyses, loading } = found;
  const problem = newest.problem ?? found.problem;
  const isListed = problem === null && !(loading && analyses.length === 0);
  return (
    <>
      <PageHeading title="History" />
      <p class="lead">How the cohort’s averages developed from analysis to analysis.</p>
      {!isListed && problem === null && live.problem === null && <Loading what="the analyses" />}
      {problem !== null && live.problem === null && (
        <ProblemNotice title="The analyses cannot be listed" problem={problem} />
      )}
      {isListed && <RangeControls range={range} onParams={onParams} />}
      {isListed && (
        <TrendSection
          title="Cohort averages"
          hint="The line is the average of averages, the band one spread between Pods to either side. Callers who shared an analysis are one point."
          analyses={analyses.toReversed()}
          loading={loading}
          pointsOf={cohortPoints}
        >
          <span class="muted" role="status">
            {countOf(analyses.length, 'analysis', 'analyses')}
            {loading ? ' so far, loading more …' : ''}
          </span>
        </TrendSection>
      )}
      {isListed && <AnalysesSection found={found} />}
    </>
  );
}

function AnalysesSection({ found: { analyses, total } }: { found: Analyses }) {
  const [limit, setLimit] = useState(step);
  const shown = analyses.slice(0, limit);
  return (
    <Section
      title="Analyses"
      hint={`${countOf(total, 'analysis', 'analyses')} in these days, the newest first.`}
    >
      {shown.length > 0 ? (
        <AnalysesTable analyses={shown} />
      ) : (
        <p class="muted">No analysis of these days is stored.</p>
      )}
      <MoreButton
        shown={shown.length}
        total={analyses.length}
        step={step}
        what="analyses"
        onMore={() => setLimit(limit + step)}
      />
      {analyses.length > 0 && (
        <p class="more">
          <CsvButton
            what={
              analyses.length === 1
                ? 'this analysis'
                : `these ${countOf(analyses.length, 'analysis', 'analyses')}`
            }
            fileName="analyses.csv"
            content={() => analysesAsCsv(analyses)}
          />
        </p>
      )}
    </Section>
  );
}
