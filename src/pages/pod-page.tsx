import { describeLatest, latestAverage } from '../analysis/home-words.js';
import type { MeasureName } from '../analysis/reading.js';
import type { PodRecord, ResultsDocument } from '../documents/results-document.js';
import { type Column, Facts, Lines, measureColumns, Section, Table } from './blocks.js';
import { splitPodId } from './pod-name.js';
import { describeStanding } from './standing.js';
import { average, day, number, readingTime } from './words.js';

interface PodPageProps {
  pod: PodRecord;
  results: ResultsDocument;
  hasChart: boolean;
}

export function PodPage({ pod, results, hasChart }: PodPageProps) {
  const picture = `/api/pods/${encodeURIComponent(pod.pod_id)}/chart.png`;
  return (
    <>
      <Facts
        rows={[
          ['Readings', number(pod.observation_count)],
          ['First reading', readingTime(pod.first_observation)],
          ['Last reading', readingTime(pod.last_observation)],
          ['Files', `${number(pod.files_read)} read, ${number(pod.files_skipped)} skipped`],
          ['In the cohort average', describeStanding(pod, results.analysis)],
        ]}
      />
      <div class="columns">
        <Section
          title="Readings"
          hint={
            hasChart
              ? 'As its owner got it when they last asked: with their readings and the cohort average of then.'
              : 'No chart of this Pod is stored. One is drawn whenever its owner asks for an analysis.'
          }
        >
          {hasChart && (
            <figure class="card pod-chart">
              <a href={picture}>
                <img
                  src={picture}
                  width="1350"
                  height="750"
                  alt={`Line chart of the readings of ${splitPodId(pod).name}, as its owner got it`}
                />
                Open in full
              </a>
            </figure>
          )}
        </Section>
        <Section title="Measures" hint={describeLatest(pod, day) ?? undefined}>
          <Table name="Measures" columns={columns} rows={rowsOf(pod, results.cohort)} />
        </Section>
      </div>
      <Section title="Notes" hint={pod.notes.length === 0 ? 'None for this Pod.' : undefined}>
        <Lines lines={pod.notes} />
      </Section>
    </>
  );
}

type Row = [title: string, value: (name: MeasureName) => string];

const columns: Column<Row>[] = [
  { title: 'Figure', cell: ([title]) => title },
  ...measureColumns<Row>(([, value], name) => value(name)),
];

function rowsOf(pod: PodRecord, cohort: ResultsDocument['cohort']): Row[] {
  const latest = latestAverage(pod);
  const ofDays: Row[] =
    latest === null
      ? []
      : [
          [latest.name, (name) => average(latest.days.average[name])],
          ['Mornings', (name) => average(latest.days.morning?.[name])],
          ['Evenings', (name) => average(latest.days.evening?.[name])],
        ];
  return [
    ['Average', (name) => average(pod.measures[name].average)],
    ...ofDays,
    ['Lowest', (name) => number(pod.measures[name].minimum)],
    ['Highest', (name) => number(pod.measures[name].maximum)],
    ['Standard deviation', (name) => average(pod.measures[name].standard_deviation)],
    ['Readings', (name) => number(pod.measures[name].count)],
    ['Cohort average', (name) => average(cohort.average_of_averages[name])],
  ];
}
