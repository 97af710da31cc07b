import type { ResultsDocument } from '../../src/documents/results-document.js';
import { PageHeading } from '../components/page-heading.js';
import { TimeText } from '../components/time-text.js';
import { hrefTo } from '../routing/route.js';
import { WarningsList } from '../warnings/warnings-list.js';

/** What the newest run skipped and why. */
export function WarningsView({ results }: { results: ResultsDocument }) {
  return (
    <>
      <PageHeading
        title="Warnings"
        above={
          <a href={hrefTo({ view: 'run', runId: results.run_id })}>
            Run of <TimeText iso={results.generated_at} />
          </a>
        }
      />
      <WarningsList results={results} linkTo={(podId) => hrefTo({ view: 'pod', podId })} />
    </>
  );
}
