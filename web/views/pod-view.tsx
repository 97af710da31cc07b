import { useMemo } from 'preact/hooks';
import type { PodEntry, ResultsDocument } from '../../src/documents/results-document.js';
import { RangeStrips } from '../charts/range-strips.js';
import { podPoints } from '../charts/trend-points.js';
import { Facts } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { PageHeading } from '../components/page-heading.js';
import { Section } from '../components/section.js';
import { TimeText } from '../components/time-text.js';
import { podTrendAsCsv } from '../csv/tables.js';
import { countOf, formatCount } from '../format/format-number.js';
import { formatDay } from '../format/format-time.js';
import { TrendSection } from '../history/trend-section.js';
import type { StoredRuns } from '../history/use-stored-runs.js';
import { homeSentence } from '../pods/home-sentence.js';
import { MeasuresTable } from '../pods/measures-table.js';
import { PodLabel } from '../pods/pod-label.js';
import { splitPodId } from '../pods/pod-name.js';
import { ReadingsSection } from '../pods/readings-section.js';
import { hrefTo } from '../routing/route.js';

interface PodViewProps {
  podId: string;
  results: ResultsDocument;
  stored: StoredRuns;
  /** False for a run that was looked up: the chart on disk may be newer than it. */
  newest: boolean;
  newestPods: readonly PodEntry[];
}

export function PodView({ podId, results, stored, newest, newestPods }: PodViewProps) {
  const { run_id: runId } = results;
  const pod = results.pods.find(({ pod_id }) => pod_id === podId);
  const upToThis = useMemo(() => stored.ids.filter((id) => id <= runId), [stored.ids, runId]);
  const back = newest ? hrefTo({ view: 'pods' }) : hrefTo({ view: 'run', runId });
  const above = (
    <a href={back}>
      {newest ? 'All Pods' : 'Run'} of <TimeText iso={results.generated_at} />
    </a>
  );
  if (pod === undefined) {
    return (
      <>
        <PageHeading title={podId} above={above} />
        <Notice title="This Pod is not in this run">
          <p>
            It may have taken its readings back, or none of them could be read. An earlier run may
            have it: see the <a href={hrefTo({ view: 'history' })}>history</a>.
          </p>
        </Notice>
      </>
    );
  }
  const { home = null } = pod;
  const ofThisRun = newest && Object.hasOwn(results.charts.pods, podId);
  return (
    <>
      <PageHeading title={splitPodId(pod).name} above={above}>
        <PodLabel pod={pod} />
      </PageHeading>
      <p class="lead address">{pod.web_id}</p>
      <PodFacts pod={pod} minimum={results.analysis.minimum_observations} />
      <Section title="Measures" hint={home === null ? undefined : homeSentence(home)}>
        <RangeStrips podMeasures={pod.measures} cohort={results.cohort.average_of_averages} />
        <MeasuresTable
          podMeasures={pod.measures}
          home={home}
          cohort={results.cohort.average_of_averages}
        />
      </Section>
      <ReadingsSection
        pod={pod}
        runId={runId}
        ofThisRun={ofThisRun}
        isInNewestRun={newestPods.some(({ pod_id }) => pod_id === podId)}
      />
      <TrendSection
        title="Averages over time"
        hint="The line is this Pod’s average in each analysis, the band one standard deviation of its readings to either side, the dashed line the cohort’s average."
        runIds={upToThis}
        podId={podId}
        pointsOf={podPoints}
        csv={{ fileName: 'pod-trend.csv', content: podTrendAsCsv }}
      />
      <Section title="Notes" hint={pod.notes.length === 0 ? 'None for this Pod.' : undefined}>
        <ul class="plain">
          {pod.notes.map((note, index) => (
            <li key={index}>{note}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function PodFacts({ pod, minimum }: { pod: PodEntry; minimum: number }) {
  const tooFew = pod.observation_count < minimum;
  return (
    <Facts
      rows={[
        ['Readings', formatCount(pod.observation_count)],
        ['First reading', <TimeText key="first" iso={pod.first_observation} />],
        ['Last reading', <TimeText key="last" iso={pod.last_observation} />],
        ['Files', `${formatCount(pod.files_read)} read, ${formatCount(pod.files_skipped)} skipped`],
        [
          'In the cohort average',
          pod.carried !== undefined
            ? `With its figures of ${formatDay(pod.carried.from, 'UTC')}: not everything could be read`
            : pod.included_in_cohort
              ? 'Yes'
              : `Left out${tooFew ? `: fewer than ${countOf(minimum, 'reading')}` : ''}`,
        ],
      ]}
    />
  );
}
