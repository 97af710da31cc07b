import type { PodEntry } from '../../src/documents/results-document.js';
import type { Figures } from '../api/guards.js';
import { ScrollArea } from '../components/scroll-area.js';
import { Swatch } from '../components/swatch.js';
import { formatAverage, formatCount, formatReading } from '../format/format-number.js';
import { measures } from '../format/measures.js';
import type { Home } from './home-sentence.js';

interface MeasuresTableProps {
  podMeasures: PodEntry['measures'];
  /** Null: there is none, and nothing is said of it. */
  home: Home | null;
  cohort: Figures;
}

export function MeasuresTable({ podMeasures, home, cohort }: MeasuresTableProps) {
  return (
    <ScrollArea label="Measures">
      <table>
        <caption class="visually-hidden">Measures of this Pod, beside the cohort average</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col">Average</th>
            {home !== null && (
              <>
                <th scope="col">Home average</th>
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
            const own = podMeasures[name];
            return (
              <tr key={name}>
                <th scope="row">
                  <Swatch measure={name} /> {label} <span class="muted">{unit}</span>
                </th>
                <td>
                  <strong>{formatAverage(own.average)}</strong>
                </td>
                {home !== null && (
                  <>
                    <td>
                      <strong>{formatAverage(home.average[name])}</strong>
                    </td>
                    <td>{formatAverage(home.morning?.[name] ?? null)}</td>
                    <td>{formatAverage(home.evening?.[name] ?? null)}</td>
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
