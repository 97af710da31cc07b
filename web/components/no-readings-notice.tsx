import { Notice } from './notice.js';

export function NoReadingsNotice() {
  return (
    <Notice title="This run found no readings">
      <p>
        Nothing that is shared with the Analyser could be read, so there is nothing to average. The
        warnings, if there are any, say why; <code>./run.sh check</code> prints what is shared.
      </p>
    </Notice>
  );
}
