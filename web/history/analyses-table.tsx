import type { Analysis } from '../api/guards.js';
import { ScrollArea } from '../components/scroll-area.js';
import { countOf, formatAverage, formatCount } from '../format/format-number.js';
import { formatSecond } from '../format/format-time.js';
import { hrefTo } from '../routing/route.js';
import { warningsOf } from './counts-of-runs.js';

export function AnalysesTable({ analyses }: { analyses: readonly Analysis[] }) {
  return (
    <ScrollArea label="Analyses">
      <table>
        <caption class="visually-hidden">Analyses with their cohort averages</caption>
        <thead>
          <tr>
            <th scope="col">Analysis</th>
            <th scope="col">
              Systolic<small>mm Hg</small>
            </th>
            <th scope="col">
              Diastolic<small>mm Hg</small>
            </th>
            <th scope="col">
              Heart rate<small>bpm</small>
            </th>
            <th scope="col">Pods</th>
            <th scope="col">Readings</th>
            <th scope="col">Warnings</th>
          </tr>
        </thead>
        <tbody>
          {analyses.map((analysis) => (
            <AnalysisRow key={analysis.generated_at} analysis={analysis} />
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function AnalysisRow({ analysis }: { analysis: Analysis }) {
  const { cohort, runs, generated_at } = analysis;
  const averages = cohort.average_of_averages;
  const [newest] = runs;
  return (
    <tr>
      <th scope="row">
        <a href={hrefTo({ view: 'run', runId: newest?.run_id ?? '' })}>
          {formatSecond(generated_at)}
        </a>
        {runs.length > 1 && <Runs runs={runs} />}
      </th>
      <td>{formatAverage(averages.systolic)}</td>
      <td>{formatAverage(averages.diastolic)}</td>
      <td>{formatAverage(averages.heart_rate)}</td>
      <td>
        {formatCount(cohort.included_pod_count)}{' '}
        <span class="muted">of {formatCount(cohort.pod_count)}</span>
        <Changes analysis={analysis} />
      </td>
      <td>{formatCount(cohort.observation_count)}</td>
      <td>{formatCount(warningsOf(analysis))}</td>
    </tr>
  );
}

/** Callers who shared an analysis have a run each. */
function Runs({ runs }: Pick<Analysis, 'runs'>) {
  return (
    <details>
      <summary class="muted">{countOf(runs.length, 'run')}</summary>
      <ul class="plain">
        {runs.map(({ run_id: runId }) => (
          <li key={runId}>
            <a href={hrefTo({ view: 'run', runId })}>{runId}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Changes({ analysis: { joined, left } }: { analysis: Analysis }) {
  const words = [
    ...(joined.length === 0 ? [] : [`${formatCount(joined.length)} joined`]),
    ...(left.length === 0 ? [] : [`${formatCount(left.length)} left`]),
  ];
  return words.length === 0 ? null : <small class="muted below">{words.join(', ')}</small>;
}
