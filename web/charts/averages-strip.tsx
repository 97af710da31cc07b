import type { TargetedPointerEvent } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PodEntry } from '../../src/documents/results-document.js';
import type { Cohort } from '../api/guards.js';
import { Swatch } from '../components/swatch.js';
import { countOf, formatAverage } from '../format/format-number.js';
import type { MeasureInfo } from '../format/measures.js';
import { splitPodId } from '../pods/pod-name.js';
import { placeOf, podAt, type StripLayout, strip } from './averages-layout.js';
import { niceTicks } from './scale.js';

interface AveragesStripProps {
  measure: MeasureInfo;
  layout: StripLayout;
  cohort: Cohort;
  width: number;
  /** The Pod that lights up, in whichever strip it was pointed at. */
  lit: PodEntry | null;
  onLight: (pod: PodEntry | null) => void;
  linkTo: (podId: string) => string;
}

export function AveragesStrip(props: AveragesStripProps) {
  const { measure, layout, cohort, width, lit, onLight, linkTo } = props;
  const { name, label, unit } = measure;
  // Thousands of dots stay as they are while the pointer moves over them.
  const picture = useMemo(
    () => <StripPicture measure={measure} layout={layout} cohort={cohort} width={width} />,
    [measure, layout, cohort, width],
  );
  const hidden = layout.known.length - layout.dots.length;
  const podUnder = (event: TargetedPointerEvent<HTMLElement> | MouseEvent) => {
    const area = event.currentTarget;
    if (!(area instanceof HTMLElement)) return null;
    const { left, top } = area.getBoundingClientRect();
    return podAt(layout, event.clientX - left, event.clientY - top);
  };
  return (
    <figure class={`averages-row ${name}`}>
      <figcaption>
        <Swatch measure={name} />
        {label}{' '}
        <span class="muted">
          {unit}
          {hidden > 0 && ` · ${countOf(hidden, 'more Pod')} behind these dots`}
        </span>
        {lit !== null && (
          <span class="readout">
            {splitPodId(lit).name} <strong>{formatAverage(lit.measures[name].average)}</strong>
          </span>
        )}
      </figcaption>
      {layout.known.length === 0 ? (
        <p class="muted">No Pod has an average of this measure.</p>
      ) : (
        <div
          class={lit === null ? 'strip' : 'strip pointing'}
          onPointerMove={(event) => onLight(podUnder(event))}
          onPointerLeave={(event) => {
            // A finger that is lifted leaves what it pointed at.
            if (event.pointerType !== 'touch') onLight(null);
          }}
          onClick={(event) => {
            const pod = podUnder(event);
            // The first touch shows whose dot it is, the second opens it.
            if (pod !== null && pod === lit) window.location.hash = linkTo(pod.pod_id);
            else onLight(pod);
          }}
        >
          {picture}
          <StripCursor {...props} />
        </div>
      )}
    </figure>
  );
}

/** The one dot that the keyboard stands on: a link that moves from Pod to Pod. */
function StripCursor({ measure, layout, lit, onLight, linkTo }: AveragesStripProps) {
  const { known } = layout;
  const current = known.find(({ pod }) => pod === lit) ?? known[0];
  const place = current === undefined ? null : placeOf(layout, current.pod.pod_id);
  if (current === undefined || place === null) return null;
  const step = Math.max(1, Math.round(known.length / 10));
  const onKeyDown = (event: KeyboardEvent) => {
    const last = known.length - 1;
    const now = known.indexOf(current);
    const to: Partial<Record<string, number>> = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      PageDown: now - step,
      PageUp: now + step,
      Home: 0,
      End: last,
    };
    const index = to[event.key];
    if (index === undefined) return;
    event.preventDefault();
    onLight(known[Math.min(last, Math.max(0, index))]?.pod ?? null);
  };
  return (
    <a
      class={lit === current.pod ? 'cursor lit' : 'cursor'}
      href={linkTo(current.pod.pod_id)}
      style={{ left: `${place.x}px`, top: `${place.y}px` }}
      aria-label={`${splitPodId(current.pod).name}: ${measure.label} ${formatAverage(place.average)} ${measure.unit}`}
      onFocus={() => onLight(current.pod)}
      onBlur={() => onLight(null)}
      onKeyDown={onKeyDown}
      // The strip below would take it for a click at that place.
      onClick={(event) => event.stopPropagation()}
    />
  );
}

type StripPictureProps = Pick<AveragesStripProps, 'measure' | 'layout' | 'cohort' | 'width'>;

function StripPicture({ measure, layout, cohort, width }: StripPictureProps) {
  const { name, label, unit } = measure;
  const { known, domain, scale, dots } = layout;
  const { axisAt, edge, middle, dotSize } = strip;
  const average = cohort.average_of_averages[name];
  const spread = cohort.spread_of_averages[name] ?? 0;
  const [lowest, highest] = [known[0]?.average ?? null, known.at(-1)?.average ?? null];
  return (
    <svg
      viewBox={`0 0 ${width} ${strip.height}`}
      role="img"
      aria-label={`${label}: the averages of ${countOf(known.length, 'Pod')} lie between ${formatAverage(lowest)} and ${formatAverage(highest)} ${unit}; the average of averages is ${formatAverage(average)} ${unit}.`}
    >
      {average !== null && (
        <rect
          class="band"
          x={scale(average - spread)}
          width={scale(average + spread) - scale(average - spread)}
          y="4"
          height={axisAt - 4}
        />
      )}
      <line class="axis" x1={edge} x2={width - edge} y1={axisAt} y2={axisAt} />
      {niceTicks(domain, width / 90).map((tick) => (
        <g key={tick}>
          <line class="axis" x1={scale(tick)} x2={scale(tick)} y1={axisAt} y2={axisAt + 4} />
          <text class="tick" x={scale(tick)} y={axisAt + 17} text-anchor="middle">
            {tick}
          </text>
        </g>
      ))}
      {dots.map(({ item: { pod }, x, offset }) => (
        <circle
          key={pod.pod_id}
          class={pod.included_in_cohort ? 'dot' : 'dot left-out'}
          cx={x}
          cy={middle + offset}
          r={dotSize / 2 - 0.5}
        />
      ))}
      {average !== null && (
        <line class="mean" x1={scale(average)} x2={scale(average)} y1="4" y2={axisAt} />
      )}
    </svg>
  );
}
