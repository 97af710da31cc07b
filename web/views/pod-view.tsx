import type { PodEntry, ResultsDocument } from '../../src/documents/results-document.js';
import { RangeStrips } from '../charts/range-strips.js';
import { Facts } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { PageHeading } from '../components/page-heading.js';
import { Section } from '../components/section.js';
import { TimeText } from '../components/time-text.js';
import { countOf, formatCount } from '../format/format-number.js';
import { formatDay, formatReadingTime } from '../format/format-time.js';
import type { Live } from '../live/live.js';
import { latestSentence } from '../pods/latest-sentence.js';
import { MeasuresTable } from '../pods/measures-table.js';
import { PodCourse } from '../pods/pod-course.js';
import { PodLabel } from '../pods/pod-label.js';
import { splitPodId } from '../pods/pod-name.js';
import { ReadingsSection } from '../pods/readings-section.js';
import { hrefTo } from '../routing/route.js';

interface PodViewProps {
  live: Live;
  podId: string;
  results: ResultsDocument;
  /** False for a run that was looked up: the chart on disk may be newer than it. */
  newest: boolean;
  newestPods: readonly PodEntry[];
}

export function PodView({ live, podId, results, newest, newestPods }: PodViewProps) {
  const { run_id: runId } = results;
  const pod = results.pods.find(({ pod_id }) => pod_id === podId);
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
  const ofThisRun = newest && Object.hasOwn(results.charts.pods, podId);
  return (
    <>
      <PageHeading title={splitPodId(pod).name} above={above}>
        <PodLabel pod={pod} />
      </PageHeading>
      <p class="lead address">{pod.web_id}</p>
      <PodFacts pod={pod} minimum={results.analysis.minimum_observations} />
      <Section title="Measures" hint={latestSentence(pod) ?? undefined}>
        <RangeStrips podMeasures={pod.measures} cohort={results.cohort.average_of_averages} />
        <MeasuresTable pod={pod} cohort={results.cohort.average_of_averages} />
      </Section>
      <ReadingsSection
        pod={pod}
        runId={runId}
        ofThisRun={ofThisRun}
        isInNewestRun={newestPods.some(({ pod_id }) => pod_id === podId)}
      />
      <PodCourse live={live} pod={pod} results={results} />
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
        ['First reading', formatReadingTime(pod.first_observation)],
        ['Last reading', formatReadingTime(pod.last_observation)],
        ['Files', `${formatCount(pod.files_read)} read, ${formatCount(pod.files_skipped)} skipped`],
        [
          'In the cohort average',
          pod.included_in_cohort
            ? pod.carried === undefined
              ? 'Yes'
              : `With its figures of ${formatDay(pod.carried.from, 'UTC')}: not everything could be read`
            : `Left out${tooFew ? `: fewer than ${countOf(minimum, 'reading')}` : ''}`,
        ],
      ]}
    />
  );
}
