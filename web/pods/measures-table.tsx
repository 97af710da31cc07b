import { latestAverage } from '../../src/analysis/home-words.js';
import type { PodEntry } from '../../src/documents/results-document.js';
import type { Figures } from '../api/guards.js';
import { ScrollArea } from '../components/scroll-area.js';
import { Swatch } from '../components/swatch.js';
import { formatAverage, formatCount, formatReading } from '../format/format-number.js';
import { measures } from '../format/measures.js';

interface MeasuresTableProps {
  pod: PodEntry;
  cohort: Figures;
}

export function MeasuresTable({ pod, cohort }: MeasuresTableProps) {
  const latest = latestAverage(pod);
  return (
    <ScrollArea label="Measures">
      <table>
        <caption class="visually-hidden">Measures of this Pod, beside the cohort average</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col">Average</th>
            {latest !== null && (
              <>
                <th scope="col">{latest.name}</th>
                <th scope="col">Mornings</th>
                <th scope="col">Evenings</th>
              </>
            )}
            <th scope="col">Lowest</th>
            <th scope="col">Highest</th>
            <th scope="col">Standard deviation</th>
            <th scope="col">Readings</th>
            <th scope="col">Cohort average</th>
          </tr>
        </thead>
        <tbody>
          {measures.map(({ name, label, unit }) => {
            const own = pod.measures[name];
            return (
              <tr key={name}>
                <th scope="row">
                  <Swatch measure={name} /> {label} <span class="muted">{unit}</span>
                </th>
                <td>
                  <strong>{formatAverage(own.average)}</strong>
                </td>
                {latest !== null && (
                  <>
                    <td>
                      <strong>{formatAverage(latest.days.average[name])}</strong>
                    </td>
                    <td>{formatAverage(latest.days.morning?.[name] ?? null)}</td>
                    <td>{formatAverage(latest.days.evening?.[name] ?? null)}</td>
                  </>
                )}
                <td>{formatReading(own.minimum)}</td>
                <td>{formatReading(own.maximum)}</td>
                <td>{formatAverage(own.standard_deviation)}</td>
                <td>{formatCount(own.count)}</td>
                <td>{formatAverage(cohort[name])}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollArea>
  );
}
