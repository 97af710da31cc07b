import { Notice } from './notice.js';

export function EmptyNotice() {
  return (
    <Notice title="No analysis has run yet">
      <p>As soon as a first analysis is done, its figures appear here on their own. To run one:</p>
      <ul>
        <li>
          start the service with <code>./run.sh grpc</code> and ask for an analysis from the app, or
          with <code>./run.sh analyse &lt;web_id&gt;</code>;
        </li>
        <li>
          or run one for every contributing Pod: <code>./run.sh run-once</code>.
        </li>
      </ul>
      <p class="muted">
        <code>./run.sh check</code> prints what has been shared with the Analyser so far. The
        service has to write into the results folder that this API reads.
      </p>
    </Notice>
  );
}
