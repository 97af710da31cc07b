import { useState } from 'preact/hooks';
import type { PodEntry, ResultsDocument } from '../../src/documents/results-document.js';
import { podPoints } from '../charts/trend-points.js';
import { CsvButton } from '../csv/csv-button.js';
import { podTrendAsCsv } from '../csv/tables.js';
import { countOf, formatCount } from '../format/format-number.js';
import { TrendSection } from '../history/trend-section.js';
import { useAnalyses } from '../history/use-analyses.js';
import type { Live } from '../live/live.js';

/** Each takes the API the reading of a run document, so the others are there when they are asked for. */
const step = 29;

interface PodCourseProps {
  live: Live;
  pod: PodEntry;
  results: ResultsDocument;
}

/** A Pod from analysis to analysis, up to the one that the page shows. */
export function PodCourse({ live, pod, results }: PodCourseProps) {
  const [all, setAll] = useState(false);
  const query = new URLSearchParams({ before: results.run_id, pod_id: pod.pod_id });
  const most = all ? Number.POSITIVE_INFINITY : step;
  const { analyses, total, loading } = useAnalyses(live, query.toString(), most);
  const { generated_at, cohort } = results;
  const course = [...analyses.toReversed(), { generated_at, cohort, pod }];
  const withPod = course.filter(({ pod: own }) => (own ?? null) !== null);
  const cut = !all && analyses.length === step && total > course.length;
  return (
    <TrendSection
      title="Averages over time"
      hint="The line is this Pod’s average in each analysis, the band one standard deviation of its readings to either side, the dashed line the cohort’s average."
      analyses={withPod.length < 2 ? withPod : course}
      loading={loading}
      pointsOf={podPoints}
    >
      {cut && (
        <button type="button" onClick={() => setAll(true)}>
          Show all
        </button>
      )}
      <span class="muted" role="status">
        {cut
          ? `The newest ${formatCount(course.length)} analyses of ${formatCount(total)}.`
          : `${countOf(course.length, 'analysis', 'analyses')}${loading ? ' so far, loading more …' : ''}`}
      </span>
      <CsvButton what="this trend" fileName="pod-trend.csv" content={() => podTrendAsCsv(course)} />
    </TrendSection>
  );
}
