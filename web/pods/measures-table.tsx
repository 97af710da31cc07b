import type { PodEntry } from '../../src/documents/results-document.js';
import type { Figures } from '../api/guards.js';
import { ScrollArea } from '../components/scroll-area.js';
import { Swatch } from '../components/swatch.js';
import { formatAverage, formatCount, formatReading } from '../format/format-number.js';
import { measures } from '../format/measures.js';

interface MeasuresTableProps {
  podMeasures: PodEntry['measures'];
  cohort: Figures;
}

export function MeasuresTable({ podMeasures, cohort }: MeasuresTableProps) {
  return (
    <ScrollArea label="Measures">
      <table>
        <caption class="visually-hidden">Measures of this Pod, beside the cohort average</caption>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            <th scope="col">Average</th>
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
