import { describeProblem } from '../api/problem.js';
import { ScrollArea } from '../components/scroll-area.js';
import { formatAverage, formatCount } from '../format/format-number.js';
import { formatTime } from '../format/format-time.js';
import { hrefTo } from '../routing/route.js';
import type { HistoryEntry } from './history-entry.js';

export function RunsTable({ entries }: { entries: readonly HistoryEntry[] }) {
  return (
    <ScrollArea label="Runs">
      <table>
        <caption class="visually-hidden">Stored runs with their cohort averages</caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
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
          {entries.map((entry) => (
            <tr key={entry.runId}>
              <th scope="row">
                <a href={hrefTo({ view: 'run', runId: entry.runId })}>
                  {entry.state === 'read' ? formatTime(entry.run.generatedAt) : entry.runId}
                </a>
              </th>
              <RunCells entry={entry} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function RunCells({ entry }: { entry: HistoryEntry }) {
  switch (entry.state) {
    case 'waiting':
      return (
        <td class="muted" colSpan={6}>
          …
        </td>
      );
    case 'failed':
      return (
        <td class="muted wide" colSpan={6}>
          {describeProblem(entry.problem)}
        </td>
      );
    case 'read': {
      const { cohort, warnings } = entry.run;
      const averages = cohort.average_of_averages;
      return (
        <>
          <td>{formatAverage(averages.systolic)}</td>
          <td>{formatAverage(averages.diastolic)}</td>
          <td>{formatAverage(averages.heart_rate)}</td>
          <td>
            {formatCount(cohort.included_pod_count)}{' '}
            <span class="muted">of {formatCount(cohort.pod_count)}</span>
          </td>
          <td>{formatCount(cohort.observation_count)}</td>
          <td>{formatCount(warnings)}</td>
        </>
      );
    }
  }
}
