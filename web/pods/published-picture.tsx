import { useState } from 'preact/hooks';
import type { PodEntry } from '../../src/documents/results-document.js';
import { splitPodId } from './pod-name.js';

interface PublishedPictureProps {
  pod: PodEntry;
  runId: string;
}

/** The very picture that the Pod's owner got, fetched when somebody wants it. */
export function PublishedPicture({ pod, runId }: PublishedPictureProps) {
  // A browser shows a picture of the same address again without asking; the part after # is not sent.
  const source = `api/pods/${encodeURIComponent(pod.pod_id)}/chart.png#${encodeURIComponent(runId)}`;
  const [open, setOpen] = useState(false);
  return (
    <details class="picture" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>The picture as its owner got it</summary>
      {open && (
        <figure class="pod-chart">
          <a href={source}>
            <img
              src={source}
              alt={`Line chart of the readings of ${splitPodId(pod).name}, as its owner got it`}
            />
          </a>
        </figure>
      )}
    </details>
  );
}
