import type { ResultsDocument } from '../../src/documents/results-document.js';
import { PageHeading } from '../components/page-heading.js';
import { TimeText } from '../components/time-text.js';
import { ComingsSection } from '../pods/comings-section.js';
import { PodsSection } from '../pods/pods-section.js';
import { hrefTo } from '../routing/route.js';

interface PodsViewProps {
  results: ResultsDocument;
  params: URLSearchParams;
  onParams: (params: URLSearchParams) => void;
}

export function PodsView({ results, params, onParams }: PodsViewProps) {
  return (
    <>
      <PageHeading
        title="Pods"
        above={
          <a href={hrefTo({ view: 'run', runId: results.run_id })}>
            Run of <TimeText iso={results.generated_at} />
          </a>
        }
      />
      <p class="lead">Every Pod of which at least one shared file could be read.</p>
      <PodsSection
        results={results}
        linkTo={(podId) => hrefTo({ view: 'pod', podId })}
        params={params}
        onParams={onParams}
      />
      <ComingsSection runId={results.run_id} />
    </>
  );
}
