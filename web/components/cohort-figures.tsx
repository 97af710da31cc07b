import type { Cohort } from '../api/guards.js';
import { formatAverage } from '../format/format-number.js';
import { measures } from '../format/measures.js';
import { Swatch } from './swatch.js';

/** The three figures of a cohort: the one that is shared large, the other two below it. */
export function CohortFigures({ cohort }: { cohort: Cohort }) {
  return (
    <ul class="figures">
      {measures.map(({ name, label, unit }) => (
        <li key={name}>
          <h2>
            <Swatch measure={name} />
            {label}
          </h2>
          <p class="figure">
            <span class="value">{formatAverage(cohort.average_of_averages[name])}</span>{' '}
            <span class="unit">{unit}</span>
          </p>
          <dl>
            <div>
              <dt>Pooled over all readings</dt>
              <dd>
                {formatAverage(cohort.pooled_average[name])} {unit}
              </dd>
            </div>
            <div>
              <dt>Spread between Pods</dt>
              <dd>
                ± {formatAverage(cohort.spread_of_averages[name])} {unit}
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  );
}
