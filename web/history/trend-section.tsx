import { useState } from 'preact/hooks';
import { Trend } from '../charts/trend.js';
import type { PointsOf } from '../charts/trend-points.js';
import { Loading } from '../components/loading.js';
import { Section } from '../components/section.js';
import { CsvButton } from '../csv/csv-button.js';
import { countOf, formatCount } from '../format/format-number.js';
import type { HistoryRun } from './history-entry.js';
import { useAnalyses } from './use-analyses.js';

const step = 30;

interface TrendSectionProps {
  title: string;
  hint: string;
  /** Newest first. */
  runIds: readonly string[];
  /** Shows all of them at once, and not the newest first. */
  whole?: boolean;
  /** Null: of the cohort. */
  podId: string | null;
  pointsOf: PointsOf;
  csv: { fileName: string; content: (runs: readonly HistoryRun[]) => string };
}

/** A trend over the newest analyses, or over all of them when that is asked for. */
export function TrendSection({
  title,
  hint,
  runIds,
  whole = false,
  podId,
  pointsOf,
  csv,
}: TrendSectionProps) {
  const [all, setAll] = useState(whole);
  const { runs, loading } = useAnalyses(runIds, all ? Number.POSITIVE_INFINITY : step, podId);
  if (runs.length === 0 && !loading) return null;
  const withFigures = podId === null ? runs : runs.filter((run) => run.pod !== null);
  if (withFigures.length < 2) {
    if (loading) return <Loading what="the course" />;
    return (
      <Section title={title}>
        <p class="muted">The course appears from the second analysis on.</p>
      </Section>
    );
  }
  const cut = !all && runs.length >= step && runIds.length > step;
  return (
    <Section title={title} hint={hint}>
      <Trend runs={runs} pointsOf={pointsOf} label={title} />
      <p class="more">
        {cut && (
          <button type="button" onClick={() => setAll(true)}>
            Show all
          </button>
        )}
        <span class="muted" role="status">
          {cut
            ? `The newest ${formatCount(runs.length)} analyses; ${countOf(runIds.length, 'run')} are stored.`
            : `${countOf(runs.length, 'analysis', 'analyses')}${loading ? ' so far, loading more …' : ''}`}
        </span>
        <CsvButton what="this trend" fileName={csv.fileName} content={() => csv.content(runs)} />
      </p>
    </Section>
  );
}
