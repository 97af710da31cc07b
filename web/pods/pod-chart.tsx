import { useState } from 'preact/hooks';
import type { PodEntry } from '../../src/documents/results-document.js';
import { countOf, formatAverage } from '../format/format-number.js';
import { formatDay } from '../format/format-time.js';
import { measures } from '../format/measures.js';
import { splitPodId } from './pod-name.js';

interface PodChartProps {
  pod: PodEntry;
  runId: string;
  /** Whether the picture on disk is the one that this run drew. */
  ofThisRun: boolean;
}

/** One chart is drawn per run, the caller's, so a Pod's newest can be older than the figures beside it. */
export function PodChart({ pod, runId, ofThisRun }: PodChartProps) {
  const source = `api/pods/${encodeURIComponent(pod.pod_id)}/chart.png?run=${encodeURIComponent(runId)}`;
  const [failed, setFailed] = useState<string | null>(null);
  if (failed === source) {
    return (
      <p class="muted">
        No chart of this Pod is stored. One is drawn whenever its owner asks for an analysis.
      </p>
    );
  }
  return (
    <figure class="pod-chart">
      <a href={source}>
        <img src={source} alt={describe(pod)} onError={() => setFailed(source)} />
      </a>
      <figcaption class="muted">
        {ofThisRun
          ? 'Drawn in this run.'
          : 'The newest picture stored for this Pod. It was not drawn in this run, so it may show other readings than the figures on this page.'}
      </figcaption>
    </figure>
  );
}

function describe(pod: PodEntry): string {
  const averages = measures
    .map(({ name, label, unit }) => {
      const { average } = pod.measures[name];
      return `${label.toLowerCase()} ${average === null ? 'unknown' : `${formatAverage(average)} ${unit}`}`;
    })
    .join(', ');
  const span =
    pod.first_observation === null
      ? ''
      : ` from ${formatDay(pod.first_observation)} to ${formatDay(pod.last_observation)}`;
  return `Line chart of the readings of ${splitPodId(pod).name} over time. The figures of this run: ${countOf(pod.observation_count, 'reading')}${span}; averages: ${averages}.`;
}
