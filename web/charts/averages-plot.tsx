import { useMemo, useState } from 'preact/hooks';
import type { PodEntry } from '../../src/documents/results-document.js';
import type { Cohort } from '../api/guards.js';
import { countOf, formatAverage } from '../format/format-number.js';
import { measures } from '../format/measures.js';
import { splitPodId } from '../pods/pod-name.js';
import { layOutStrip } from './averages-layout.js';
import { AveragesStrip } from './averages-strip.js';
import { useWidth } from './use-width.js';

interface AveragesPlotProps {
  pods: readonly PodEntry[];
  cohort: Cohort;
  linkTo: (podId: string) => string;
}

/**
 * One dot per Pod at its average, for each measure on an axis of its own. The Pod that is pointed
 * at, or reached with the arrow keys, lights up in all of them; a click or Enter opens it.
 */
export function AveragesPlot({ pods, cohort, linkTo }: AveragesPlotProps) {
  const [box, width] = useWidth();
  const [lit, setLit] = useState<PodEntry | null>(null);
  const strips = useMemo(
    () =>
      measures.map((measure) => ({
        measure,
        layout: layOutStrip(pods, measure.name, cohort.average_of_averages[measure.name], width),
      })),
    [pods, cohort, width],
  );
  return (
    <div class="averages-plot">
      <div ref={box}>
        {strips.map(({ measure, layout }) => (
          <AveragesStrip
            key={measure.name}
            measure={measure}
            layout={layout}
            cohort={cohort}
            width={width}
            lit={lit}
            onLight={setLit}
            linkTo={linkTo}
          />
        ))}
      </div>
      <p class="lit-pod" role="status">
        {lit === null ? (
          <span class="muted">
            Point at or touch a dot, or use Tab and the arrow keys, to see whose it is.
          </span>
        ) : (
          <>
            <strong>{splitPodId(lit).name}</strong> <span class="muted">{describe(lit)}</span>
          </>
        )}
      </p>
    </div>
  );
}

function describe(pod: PodEntry): string {
  const averages = measures
    .map(({ name, unit }) => `${formatAverage(pod.measures[name].average)} ${unit}`)
    .join(' · ');
  const out = pod.included_in_cohort ? '' : ', left out of the averages';
  return `${averages} · ${countOf(pod.observation_count, 'reading')}${out}`;
}
