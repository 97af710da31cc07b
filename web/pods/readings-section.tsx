import type { PodEntry } from '../../src/documents/results-document.js';
import { isChartDocument } from '../api/guards.js';
import { describeProblem, type Problem } from '../api/problem.js';
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
}

/** The only place where single readings are shown: what the picture draws that the Pod's owner got. */
export function ReadingsSection({ pod, runId, ofThisRun }: ReadingsSectionProps) {
  const path = `api/pods/${encodeURIComponent(pod.pod_id)}/chart.json`;
  const answer = useAnswer(path, isChartDocument, 0, runId);
  const age = ofThisRun
    ? 'Drawn in this run.'
    : 'The newest chart stored for this Pod. It was not drawn in this run, so it may show other readings than the figures on this page.';
  return (
    <Section title="Readings" hint={answer?.ok === true ? age : undefined}>
      {answer === null && <Loading what="the readings" />}
      {answer?.ok === false && <p class="muted">{explain(answer.problem)}</p>}
      {answer?.ok === true && (
        <ReadingsChart
          chart={answer.value}
          label={`Readings of ${splitPodId(pod).name} over time`}
        />
      )}
      <PublishedPicture pod={pod} runId={runId} />
    </Section>
  );
}

function explain(problem: Problem): string {
  return problem.kind === 'refused' && problem.status === 404
    ? 'No readings of this Pod are stored to draw: they are whenever its owner asks for an analysis.'
    : describeProblem(problem);
}
