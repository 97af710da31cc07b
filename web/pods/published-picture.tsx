import { useState } from 'preact/hooks';
import type { PodEntry } from '../../src/documents/results-document.js';
import { splitPodId } from './pod-name.js';

interface PublishedPictureProps {
  pod: PodEntry;
  runId: string;
  /** Whether the picture on disk is the one that this run drew. */
  ofThisRun: boolean;
}

/**
 * The picture that the Pod's owner got: the only place here where single readings are drawn, so it
 * is fetched when somebody wants it. It can be older than the figures, and says so.
 */
export function PublishedPicture({ pod, runId, ofThisRun }: PublishedPictureProps) {
  const source = `api/pods/${encodeURIComponent(pod.pod_id)}/chart.png?run=${encodeURIComponent(runId)}`;
  const [open, setOpen] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  return (
    <details class="picture" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The picture of single readings, as its owner got it</summary>
      {open && failed === source && (
        <p class="muted">
          No chart of this Pod is stored. One is drawn whenever its owner asks for an analysis.
        </p>
      )}
      {open && failed !== source && (
        <figure class="pod-chart">
          <a href={source}>
            <img
              src={source}
              alt={`Line chart of the readings of ${splitPodId(pod).name} over time`}
              onError={() => setFailed(source)}
            />
          </a>
          <figcaption class="muted">
            {ofThisRun
              ? 'Drawn in this run.'
              : 'The newest picture stored for this Pod. It was not drawn in this run, so it may show other readings than the figures on this page.'}
          </figcaption>
        </figure>
      )}
    </details>
  );
}
