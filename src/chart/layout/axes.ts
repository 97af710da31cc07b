import { units } from '../../analysis/reading.js';
import type { ChartDocument } from '../../documents/chart-document.js';
import type { HorizontalAxis } from './horizontal-axis.js';
import type { Scale } from './linear-scale.js';
import { halfLetter, type Mark, pathThrough, type Text } from './marks.js';
import { numbersEnd, type PlotBox } from './plot-box.js';

const tickLength = 5;
const lineHeight = 15;

/** Numbers with lines across, moments with ticks, and what the axes count. */
export function axes(
  { x, ticks, name }: HorizontalAxis,
  values: readonly number[],
  y: Scale,
  plot: PlotBox,
  withHeartRate: boolean,
): { marks: Mark[]; texts: Text[] } {
  const { left, right, bottom } = plot;
  const pressure = `Blood pressure (${units.systolic})`;
  const both = `${pressure} and heart rate (${units.heart_rate})`;
  return {
    marks: [
      ...values.map((value) => mark('grid', [numbersEnd, y(value)], [right, y(value)])),
      mark('axis', [left, bottom], [right, bottom]),
      ...ticks.map(({ at }) => mark('axis', [x(at), bottom], [x(at), bottom + tickLength])),
    ],
    texts: [
      tick(withHeartRate ? both : pressure, 0, 11, 'start'),
      ...values.map((value) => tick(String(value), numbersEnd - 6, y(value) + halfLetter, 'end')),
      ...ticks.flatMap(({ at, label }) =>
        label
          .split('\n')
          .map((line, index) => tick(line, x(at), bottom + 19 + index * lineHeight, 'middle')),
      ),
      ...(name === null ? [] : [tick(name, right, bottom + 19 + lineHeight, 'end')]),
    ],
  };
}

/** The part of the axis on which the home average rests; of a single reading, a dot. */
export function homeDays({ home }: ChartDocument, x: Scale, { bottom }: PlotBox): Mark[] {
  if (home === undefined) return [];
  return [
    { look: 'week', measure: null, d: pathThrough([x(home.from), bottom], [x(home.to), bottom]) },
  ];
}

function mark(look: 'grid' | 'axis', ...ends: [x: number, y: number][]): Mark {
  return { look, measure: null, d: pathThrough(...ends) };
}

function tick(text: string, x: number, y: number, anchor: Text['anchor']): Text {
  return { look: 'tick', measure: null, text, x, y, anchor };
}
