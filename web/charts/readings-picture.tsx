import { outlines } from '../components/swatch.js';
import { formatAverage } from '../format/format-number.js';
import type { MeasureInfo } from '../format/measures.js';
import { measures } from '../format/measures.js';
import { type ReadingsLayout, type Reference, stretchesOf } from './readings-layout.js';

/** The least distance of readings that have a mark each. */
const markRoom = 9;

/** Axes, bands, lines and averages: all that stays while the pointer moves. */
export function ReadingsPicture({ layout }: { layout: ReadingsLayout }) {
  const { plot, narrow, axis, x, y, valueTicks, own, cohort } = layout;
  return (
    <>
      <text class="tick" x="0" y="11">
        Blood pressure in mm Hg, heart rate in bpm
      </text>
      {valueTicks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1="30" x2={plot.right} y1={y(tick)} y2={y(tick)} />
          <text class="tick" x="24" y={y(tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      {axis.ticks.map(({ at, label }) => (
        <g key={at}>
          <line class="axis" x1={x(at)} x2={x(at)} y1={plot.bottom} y2={plot.bottom + 5} />
          {label.split('\n').map((line, index) => (
            <text
              key={line}
              class="tick"
              x={x(at)}
              y={plot.bottom + 19 + index * 15}
              text-anchor="middle"
            >
              {line}
            </text>
          ))}
        </g>
      ))}
      {measures.map(({ name }) => (
        <Course key={name} layout={layout} name={name} />
      ))}
      <Averages look="dashed" layout={layout} references={own} />
      <Averages look="dotted" layout={layout} references={cohort} />
      {!narrow && own.length > 0 && <Heading x={plot.right + 13} anchor="start" text="Own" />}
      {!narrow && cohort.length > 0 && <Heading x={plot.left - 13} anchor="end" text="Cohort" />}
      {axis.name !== null && (
        <text class="tick" x={plot.right} y={layout.height - 10} text-anchor="end">
          {axis.name}
        </text>
      )}
    </>
  );
}

function Heading({ x, anchor, text }: { x: number; anchor: 'start' | 'end'; text: string }) {
  return (
    <text class="tick" x={x} y="32" text-anchor={anchor}>
      {text}
    </text>
  );
}

function Course({ layout, name }: { layout: ReadingsLayout; name: MeasureInfo['name'] }) {
  const { y, banded, plot } = layout;
  const stretches = stretchesOf(layout, name);
  const place = (x: number, value: number) => `${x.toFixed(1)},${y(value).toFixed(1)}`;
  const marks = stretches.flat();
  const sparse = !banded && marks.length * markRoom <= plot.right - plot.left;
  return (
    <g class={name}>
      {stretches.map((stretch, index) => (
        <g key={index}>
          {banded && (
            <polygon
              class="band"
              points={[
                ...stretch.map(({ x, value }) => place(x, value.high)),
                ...stretch.map(({ x, value }) => place(x, value.low)).reverse(),
              ].join(' ')}
            />
          )}
          <polyline
            class={banded || sparse ? 'line' : 'line fine'}
            points={stretch.map(({ x, value }) => place(x, value.mean)).join(' ')}
          />
        </g>
      ))}
      {sparse &&
        marks.map(({ x, value }, index) => (
          <Mark key={index} name={name} x={x} y={y(value.mean)} />
        ))}
    </g>
  );
}

interface MarkProps {
  name: MeasureInfo['name'];
  x: number;
  y: number;
}

/** The shape of the measure, as in its swatch. */
export function Mark({ name, x, y, shown = false }: MarkProps & { shown?: boolean }) {
  const scale = shown ? 0.95 : 0.62;
  return (
    <path
      class={shown ? 'mark shown' : 'mark'}
      d={outlines[name]}
      transform={`translate(${(x - 6 * scale).toFixed(1)} ${(y - 6 * scale).toFixed(1)}) scale(${scale})`}
    />
  );
}

interface AveragesProps {
  look: 'dashed' | 'dotted';
  layout: ReadingsLayout;
  references: readonly Reference[];
}

/** Lines across the plot, and their values beside it where there is room. */
function Averages({ look, layout: { plot, narrow }, references }: AveragesProps) {
  const [edge, away] = look === 'dashed' ? [plot.right, 1] : [plot.left, -1];
  return (
    <>
      {references.map(({ measure, value, y, labelY }) => (
        <g key={measure.name} class={`reference ${look} ${measure.name}`}>
          <line x1={plot.left} x2={plot.right} y1={y} y2={y} />
          {!narrow && (
            <>
              <line x1={edge} x2={edge + away * 9} y1={y} y2={labelY} />
              <text
                x={edge + away * 13}
                y={labelY + 4}
                text-anchor={look === 'dashed' ? 'start' : 'end'}
              >
                {formatAverage(value)}
              </text>
            </>
          )}
        </g>
      ))}
    </>
  );
}
