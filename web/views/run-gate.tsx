import type { ComponentChildren } from 'preact';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { isResultsDocument } from '../api/guards.js';
import { isAwaited, useAnswer } from '../api/use-answer.js';
import { Loading } from '../components/loading.js';
import { Notice } from '../components/notice.js';
import { PageHeading } from '../components/page-heading.js';
import { ProblemNotice } from '../components/problem-notice.js';
import { formatTime, timeOfRun } from '../format/format-time.js';
import { hrefTo } from '../routing/route.js';

interface RunGateProps {
  runId: string;
  tick: number;
  children: (results: ResultsDocument) => ComponentChildren;
}

/** Fetches one stored run, and says what is wrong where it cannot be shown. */
export function RunGate({ runId, tick, children }: RunGateProps) {
  const answer = useAnswer(`api/runs/${encodeURIComponent(runId)}`, isResultsDocument, tick);
  if (answer?.ok === true) return <>{children(answer.value)}</>;
  const time = timeOfRun(runId);
  const title = time === null ? 'Run' : `Run of ${formatTime(time)}`;
  const missing = answer?.problem.kind === 'refused' && answer.problem.status === 404;
  return (
    <>
      <PageHeading title={title} above={<a href={hrefTo({ view: 'history' })}>All runs</a>} />
      {isAwaited(answer) && <Loading what="the run" />}
      {missing && (
        <Notice title="This run is not stored">
          <p>
            No results document of the run <code>{runId}</code> exists here. The{' '}
            <a href={hrefTo({ view: 'history' })}>history</a> lists those that do.
          </p>
        </Notice>
      )}
      {answer !== null && !missing && !isAwaited(answer) && (
        <ProblemNotice
          title="This run cannot be shown"
          problem={answer.problem}
          also="Other runs are not affected."
        />
      )}
    </>
  );
}
