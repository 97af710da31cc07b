import type { ComponentChildren } from 'preact';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { isResultsDocument } from '../api/guards.js';
import { useAnswer } from '../api/use-answer.js';
import { Loading } from '../components/loading.js';
import { Notice } from '../components/notice.js';
import { PageHeading } from '../components/page-heading.js';
import { ProblemNotice } from '../components/problem-notice.js';
import type { Live } from '../live/live.js';
import { hrefTo } from '../routing/route.js';

interface RunGateProps {
  runId: string;
  live: Live;
  children: (results: ResultsDocument) => ComponentChildren;
}

/** Fetches one stored run, and says what is wrong where it cannot be shown. */
export function RunGate({ runId, live, children }: RunGateProps) {
  const answer = useAnswer(`api/runs/${encodeURIComponent(runId)}`, isResultsDocument, live.tick);
  if (answer?.ok === true) return <>{children(answer.value)}</>;
  // That the API does not answer at all is said above every view.
  const problem = answer?.problem ?? null;
  const told = problem?.kind === 'unreachable' && live.problem !== null;
  const missing = problem?.kind === 'refused' && problem.status === 404;
  return (
    <>
      <PageHeading
        title={`Run ${runId}`}
        above={<a href={hrefTo({ view: 'history' })}>All runs</a>}
      />
      {answer === null && live.problem === null && <Loading what="the run" />}
      {missing && (
        <Notice title="This run is not stored">
          <p>
            No results document of the run <code>{runId}</code> exists here. The{' '}
            <a href={hrefTo({ view: 'history' })}>history</a> lists those that do.
          </p>
        </Notice>
      )}
      {problem !== null && !told && !missing && (
        <ProblemNotice
          title="This run cannot be shown"
          problem={problem}
          also="Other runs are not affected."
        />
      )}
    </>
  );
}
