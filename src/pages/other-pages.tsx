import { Notice } from './blocks.js';

export function EmptyPage() {
  return (
    <Notice title="No analysis has run yet">
      <p>
        As soon as a first analysis is done, its figures are here. The mode <code>grpc</code> runs
        one when an app asks for it, the mode <code>run-once</code> runs one for every contributing
        Pod.
      </p>
      <p class="muted">
        The mode <code>check</code> prints what has been shared with the Analyser so far. The
        service has to write into the results folder that these pages read.
      </p>
    </Notice>
  );
}

export function ProblemPage({ detail }: { detail: string }) {
  return (
    <Notice title="This cannot be shown">
      <p>{detail}</p>
      <p class="muted">
        The <a href="/">overview</a> and the <a href="/history">history</a> have everything that is
        stored.
      </p>
    </Notice>
  );
}
