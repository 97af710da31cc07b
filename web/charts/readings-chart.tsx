import type { TargetedPointerEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Place } from '../../src/chart/layout/chart-layout.js';
import { describeDrawing, homeDaysTitle } from '../../src/chart/layout/chart-words.js';
import { attributesOf, type Look, markPath } from '../../src/chart/layout/marks.js';
import type { ChartDocument } from '../../src/documents/chart-document.js';
import { Swatch } from '../components/swatch.js';
import { countOf, formatAverage, formatReading } from '../format/format-number.js';
import { formatReadingDay, formatReadingTime } from '../format/format-time.js';
import { type MeasureInfo, measures } from '../format/measures.js';
import { layOutReadings, type ReadingsLayout } from './readings-layout.js';
import { ReadingsPicture } from './readings-picture.js';
import { useWidth } from './use-width.js';

const tooltipWidth = 224;
/** Of the marks at the place that is pointed at. */
const shownSize = 11;

/** What the published picture draws, in the page: readings or rolling means, and the averages. */
export function ReadingsChart({ chart, label }: { chart: ChartDocument; label: string }) {
  const [box, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const layout = useMemo(() => layOutReadings(chart, width), [chart, width]);
  const picture = useMemo(() => <ReadingsPicture layout={layout} />, [layout]);
  const { places, banded, height } = layout;
  const shown = pointed === null ? undefined : places[pointed];
  const pointAt = (event: TargetedPointerEvent<HTMLElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const distances = places.map(({ x }) => Math.abs(x - at));
    setPointed(distances.indexOf(Math.min(...distances)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = stepTo(event.key, pointed, places.length);
    if (index === null) return;
    event.preventDefault();
    setPointed(index);
  };
  return (
    <div
      class="readings-chart"
      role="group"
      aria-label={`${label}. Left and right arrow keys go from ${banded ? 'place to place' : 'reading to reading'}.`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => setPointed(null)}
    >
      <div
        ref={box}
        class="plot"
        onPointerDown={pointAt}
        onPointerMove={pointAt}
        onPointerLeave={(event) => {
          // A finger that is lifted leaves what it pointed at.
          if (event.pointerType !== 'touch') setPointed(null);
        }}
      >
        <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={describe(chart, layout)}>
          {picture}
          {shown !== undefined && <Pointed place={shown} layout={layout} />}
        </svg>
        {shown !== undefined && <Tooltip chart={chart} layout={layout} place={shown} />}
      </div>
      <Legend chart={chart} layout={layout} />
      <p class="visually-hidden" role="status">
        {shown !== undefined && readOut(chart, layout, shown)}
      </p>
    </div>
  );
}

function stepTo(key: string, now: number | null, count: number): number | null {
  const from = now ?? count;
  const far = Math.max(1, Math.round(count / 10));
  const to: Partial<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowRight: now === null ? count - 1 : now + 1,
    PageUp: from - far,
    PageDown: from + far,
    Home: 0,
    End: count - 1,
  };
  const index = to[key];
  return index === undefined ? null : Math.min(count - 1, Math.max(0, index));
}

function Pointed({ place, layout: { plot, y } }: { place: Place; layout: ReadingsLayout }) {
  return (
    <>
      <line class="pointer" x1={place.x} x2={place.x} y1={plot.top} y2={plot.bottom} />
      {measures.map(({ name }) => {
        const value = place[name];
        return (
          value !== null && (
            <path
              key={name}
              class={`mark shown ${name}`}
              d={markPath(name, place.x, y(value.mean), shownSize)}
            />
          )
        );
      })}
    </>
  );
}

function recordedIn({ recorded }: ReadingsLayout): MeasureInfo[] {
  return measures.filter(({ name }) => recorded.includes(name));
}

interface OfPlace {
  chart: ChartDocument;
  layout: ReadingsLayout;
  place: Place;
}

/** Beside what is pointed at; on a phone below the plot, where it hides nothing of it. */
function Tooltip({ chart, layout, place }: OfPlace) {
  const { width, plot, narrow, banded } = layout;
  const left = place.x + 14;
  const fits = left + tooltipWidth <= width;
  const style = narrow
    ? { left: '0', top: `${layout.height}px` }
    : { left: `${fits ? left : place.x - 14 - tooltipWidth}px`, top: `${plot.top}px` };
  return (
    <div class="tooltip" style={{ ...style, width: `${tooltipWidth}px` }} aria-hidden="true">
      <p>{whenOf(chart, place, banded)}</p>
      <dl>
        {recordedIn(layout).map((measure) => (
          <div key={measure.name}>
            <dt>
              <Swatch measure={measure.name} /> {measure.label}
            </dt>
            <dd>{valueOf(place, measure, banded)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function whenOf({ positions }: ChartDocument, { at }: Place, banded: boolean): string {
  if (positions === 'order') return banded ? `Around reading ${Math.round(at)}` : `Reading ${at}`;
  return banded ? `Around ${formatReadingDay(clockOf(at))}` : formatReadingTime(clockOf(at));
}

function clockOf(at: number): string {
  return new Date(at).toISOString().slice(0, -1);
}

/** `124 mm Hg`, or `124.3, 110 to 141 mm Hg` of a rolling mean. */
function valueOf(place: Place, { name, unit }: MeasureInfo, banded: boolean): string {
  const value = place[name];
  if (value === null) return '–';
  if (!banded) return `${formatReading(value.mean)} ${unit}`;
  return `${formatAverage(value.mean)}, ${formatReading(value.low)} to ${formatReading(value.high)}`;
}

function readOut(chart: ChartDocument, { banded }: ReadingsLayout, place: Place): string {
  const values = measures
    .filter(({ name }) => place[name] !== null)
    .map((measure) => `${measure.label} ${valueOf(place, measure, banded)}`);
  return [whenOf(chart, place, banded), ...values].join(', ');
}

/** Names, averages and what the lines mean, in words for people who cannot see the picture. */
function Legend({ chart, layout }: Omit<OfPlace, 'place'>) {
  const { own, cohort, undated_count: undated } = chart;
  const note = describeDrawing(undated, layout.banded);
  return (
    <div class="legend">
      {recordedIn(layout).map(({ name, label, unit }) => (
        <span key={name}>
          <Swatch measure={name} /> {label}: own average {formatAverage(own[name])}
          {cohort[name] !== null && `, cohort ${formatAverage(cohort[name])}`} {unit}
        </span>
      ))}
      <span>
        <LineKey look="dashed" /> Own average
      </span>
      {measures.some(({ name }) => cohort[name] !== null) && (
        <span>
          <LineKey look="dotted" /> Cohort average, as its owner was told
        </span>
      )}
      {chart.home !== undefined && (
        <span>
          <LineKey look="week" /> {homeDaysTitle}
        </span>
      )}
      {note !== '' && <span>{note}</span>}
    </div>
  );
}

function LineKey({ look }: { look: Look }) {
  return (
    <svg class="key" viewBox="0 0 24 12" aria-hidden="true">
      <path class={look} d="M1,6H23" {...attributesOf(look)} />
    </svg>
  );
}

function describe(
  { reading_count: count, positions }: ChartDocument,
  layout: ReadingsLayout,
): string {
  const { places } = layout;
  const [first, last] = [places[0], places.at(-1)];
  const days =
    positions === 'order' || first === undefined || last === undefined
      ? 'in the order in which they were read'
      : `from ${formatReadingDay(clockOf(first.at))} to ${formatReadingDay(clockOf(last.at))}`;
  const ranges = recordedIn(layout).flatMap(({ name, label, unit }) => {
    const values = places.flatMap((place) => place[name] ?? []);
    if (values.length === 0) return [];
    const low = Math.min(...values.map((value) => value.low));
    const high = Math.max(...values.map((value) => value.high));
    return `${label} between ${formatReading(low)} and ${formatReading(high)} ${unit}`;
  });
  return `${countOf(count, 'reading')} ${days}. ${ranges.join('; ')}.`;
}
