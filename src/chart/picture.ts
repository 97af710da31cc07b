import type { MeasureName } from '../analysis/reading.js';
import type { ChartDocument } from '../documents/chart-document.js';
import { layOutChart } from './layout/chart-layout.js';
import {
  describeDrawing,
  describeReadings,
  homeDaysTitle,
  measureTitles,
} from './layout/chart-words.js';
import { type Mark, markPath, pathThrough } from './layout/marks.js';
import { plotBox } from './layout/plot-box.js';
import { type Layer, type PictureText, paintSvg } from './paint-svg.js';

/** The size of the picture in the units of its layout. */
const [width, height] = [900, 500];
/** The width in pixels of the drawn picture: wide enough for readable text, and small enough for a small result. */
export const pictureWidth = 1350;

const margin = 20;
const headingHeight = 70;
const noteHeight = 14;
const legendRow = 20;
const [chartWidth, chartHeight] = [width - 2 * margin, height - headingHeight - noteHeight];

/** The width in pixels of the lines that the picture draws of these figures. */
export function pixelsAcross(figures: ChartDocument): number {
  const { left, right } = plotBox(figures, chartWidth, chartHeight);
  return ((right - left) * pictureWidth) / width;
}

/** `span`: the times of the first and the last reading. */
export function drawSvg(figures: ChartDocument, span: readonly number[] | null): string {
  const chart = layOutChart(figures, chartWidth, chartHeight);
  const { recorded, banded } = chart;
  const title = recorded.includes('heart_rate')
    ? 'Blood pressure and heart rate'
    : 'Blood pressure';
  const subtitle = describeReadings(figures, span);
  const note = describeDrawing(figures.undated_count, banded);
  const legend = legendOf([
    recorded.map((measure) => ({ name: measureTitles[measure], measure })),
    figures.home === undefined ? [] : [{ name: homeDaysTitle, measure: null }],
  ]);
  const around: Layer = {
    marks: legend.marks,
    texts: [
      textAt('title', title, margin, 30),
      textAt('subtitle', subtitle, margin, 50),
      ...legend.texts,
      ...(note === '' ? [] : [textAt('note', note, margin, height - 9)]),
    ],
    offset: [0, 0],
  };
  return paintSvg([around, { ...chart, offset: [margin, headingHeight] }], width, height);
}

const letterWidths = { legend: 6.5, note: 5.75 };

interface LegendEntry {
  name: string;
  /** Null for the days of the home average. */
  measure: MeasureName | null;
}

/** Lays out the legend in rows, each name beside a piece of its line. A row is laid out from right to left. */
function legendOf(rows: readonly (readonly LegendEntry[])[]): {
  marks: Mark[];
  texts: PictureText[];
} {
  const [lineLength, gap, space] = [28, 6, 20];
  const marks: Mark[] = [];
  const texts: PictureText[] = [];
  for (const [row, entries] of rows.entries()) {
    const y = 29 + row * legendRow;
    let end = width - margin;
    for (const { name, measure } of entries.toReversed()) {
      const look = measure === null ? 'note' : 'legend';
      const start = end - name.length * letterWidths[look];
      const [from, to] = [start - gap - lineLength, start - gap];
      const d = pathThrough([from, y], [to, y]);
      marks.push({ look: measure === null ? 'week' : 'line', measure, d });
      if (measure !== null) {
        marks.push({ look: 'mark', measure, d: markPath(measure, (from + to) / 2, y, 7) });
      }
      texts.push(textAt(look, name, start, y + 5));
      end = from - space;
    }
  }
  return { marks, texts };
}

function textAt(look: PictureText['look'], text: string, x: number, y: number): PictureText {
  return { look, measure: null, text, x, y, anchor: 'start' };
}
