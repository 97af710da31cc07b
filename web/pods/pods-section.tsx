import { useMemo, useState } from 'preact/hooks';
import type { ResultsDocument } from '../../src/documents/results-document.js';
import { MoreButton } from '../components/more-button.js';
import { ScrollArea } from '../components/scroll-area.js';
import { CsvButton } from '../csv/csv-button.js';
import { podsAsCsv } from '../csv/tables.js';
import { countOf, formatCount } from '../format/format-number.js';
import {
  type Arrangement,
  arrangePods,
  readArrangement,
  writeArrangement,
} from './arrange-pods.js';
import { commonHost } from './pod-name.js';
import { PodsControls } from './pods-controls.js';
import { PodsTable } from './pods-table.js';

const step = 100;

interface PodsSectionProps {
  /** Of which the Pods are shown. */
  results: ResultsDocument;
  linkTo: (podId: string) => string;
  params: URLSearchParams;
  onParams: (params: URLSearchParams) => void;
}

/** The table of Pods with its sorting and filters, which live in the address. */
export function PodsSection({ results, linkTo, params, onParams }: PodsSectionProps) {
  const { pods } = results;
  const [limit, setLimit] = useState(step);
  const key = params.toString();
  const arrangement = useMemo(() => readArrangement(new URLSearchParams(key)), [key]);
  const arranged = useMemo(() => arrangePods(pods, arrangement), [pods, arrangement]);
  const change = (part: Partial<Arrangement>) =>
    onParams(writeArrangement({ ...arrangement, ...part }));
  const host = useMemo(() => commonHost(pods), [pods]);
  const shown = arranged.slice(0, limit);
  return (
    <div class="pods">
      <PodsControls arrangement={arrangement} onChange={change} />
      <p class="muted" role="status">
        {arranged.length === pods.length
          ? countOf(pods.length, 'Pod')
          : `${formatCount(arranged.length)} of ${countOf(pods.length, 'Pod')}`}
        {host !== '' && `, all on ${host.replace(/-$/, '')}`}
      </p>
      {arranged.length > 0 && (
        <ScrollArea label="Pods">
          <PodsTable
            pods={shown}
            knownHost={host}
            linkTo={linkTo}
            arrangement={arrangement}
            onChange={change}
          />
        </ScrollArea>
      )}
      {arranged.length > 0 && (
        <p class="more">
          <CsvButton
            what={countOf(arranged.length, 'Pod')}
            fileName="pods.csv"
            content={() => podsAsCsv(results, arranged)}
          />
        </p>
      )}
      <MoreButton
        shown={shown.length}
        total={arranged.length}
        step={step}
        what="Pods"
        onMore={() => setLimit(limit + step)}
      />
    </div>
  );
}
