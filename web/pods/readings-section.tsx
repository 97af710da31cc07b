import type { PodEntry } from '../../src/documents/results-document.js';
import { isChartDocument, isChartNews } from '../api/guards.js';
import { describeProblem } from '../api/problem.js';
import { useAnswer } from '../api/use-answer.js';
import { ReadingsChart } from '../charts/readings-chart.js';
import { Loading } from '../components/loading.js';
import { Section } from '../components/section.js';
import { splitPodId } from './pod-name.js';
import { PublishedPicture } from './published-picture.js';

interface ReadingsSectionProps {
  pod: PodEntry;
  runId: string;
  /** Whether the chart on disk is the one that this run drew. */
  ofThisRun: boolean;
  /** One that is not has no chart any more. */
  isInNewestRun: boolean;
}

/** The only place where single readings are shown: what the picture draws that the Pod's owner got. */
export function ReadingsSection(props: ReadingsSectionProps) {
  const { pod, ofThisRun, isInNewestRun } = props;
  const path = `api/pods/${encodeURIComponent(pod.pod_id)}`;
  // Asked first, as most Pods never asked for an analysis.
  const news = useAnswer(!ofThisRun && isInNewestRun ? path : null, isChartNews, 0);
  if (ofThisRun || (news?.ok === true && news.value.has_chart)) {
    return <StoredChart {...props} path={path} />;
  }
  return (
    <Section title="Readings">
      {isInNewestRun && news === null && <Loading what="the readings" />}
      {news?.ok === false && <p class="muted">{describeProblem(news.problem)}</p>}
      {(!isInNewestRun || news?.ok === true) && (
        <p class="muted">
          No chart of this Pod is stored. One is drawn whenever its owner asks for an analysis.
        </p>
      )}
    </Section>
  );
}

function StoredChart({ pod, runId, ofThisRun, path }: ReadingsSectionProps & { path: string }) {
  const answer = useAnswer(`${path}/chart.json`, isChartDocument, 0, runId);
  const age = ofThisRun
    ? 'Drawn in this run.'
    : 'The newest chart stored for this Pod. It was not drawn in this run, so it may show other readings than the figures on this page.';
  return (
    <Section title="Readings" hint={answer?.ok === true ? age : undefined}>
      {answer === null && <Loading what="the readings" />}
      {answer?.ok === false && <p class="muted">{describeProblem(answer.problem)}</p>}
      {answer?.ok === true && (
        <>
          <ReadingsChart
            chart={answer.value}
            label={`Readings of ${splitPodId(pod).name} over time`}
          />
          <PublishedPicture pod={pod} runId={runId} />
        </>
      )}
    </Section>
  );
}
