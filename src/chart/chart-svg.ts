import { type Figures, type MeasureName, measureNames, units } from '../analysis/reading.js';
import { type Axis, timeAxis, valueAxis } from './axes.js';
import type { ChartPlan, Point, Span } from './chart-plan.js';
import { describeDrawing, describeReadings, homeDaysTitle, measureTitles } from './chart-words.js';
import { gap, height, leader, margin, numbersEnd, plot, width } from './plot.js';
import { colours, filled, font, ink, markPath, paper, stroked, text, through } from './svg.js';

export function drawSvg(plan: ChartPlan): string {
  const { own, cohort, points, span, home } = plan;
  const horizontal = timeAxis(span);
  const values = [own, cohort, ...points].flatMap((figures) =>
    measureNames.map((name) => figures[name]),
  );
  const vertical = valueAxis(values.filter((value) => value !== null));
  const recorded = measureNames.filter(
    (name) => own[name] !== null || points.some((point) => point[name] !== null),
  );
  const scales = { x: horizontal.scale, y: vertical.scale };
  const courses = recorded.map((measure) => courseOf(points, measure, scales));
  const noise = measureNames.flatMap((name) => plan.noise[name] ?? []).join(' / ');
  const averages = [
    references('own', own, vertical.scale),
    references('cohort', cohort, vertical.scale, noise && `Cohort ± ${noise}`),
  ];
  const note = describeDrawing(plan);
  const hasHeartRate = recorded.includes('heart_rate');
  const title = hasHeartRate ? 'Blood pressure and heart rate' : 'Blood pressure';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="${font}">`,
    `<rect width="${width}" height="${height}" fill="${paper}"/>`,
    text(title, margin, 30, { size: 19, weight: 600, fill: ink.strong }),
    ...describeReadings(plan).map((words, line) =>
      text(words, margin, 50 + 16 * line, { size: 13.5 }),
    ),
    ...legend(recorded, home !== null),
    ...axes(horizontal, vertical, home?.span ?? null, hasHeartRate),
    ...courses.map(({ line }) => line),
    ...averages.map(({ lines }) => lines),
    ...courses.map(({ marks }) => marks),
    ...averages.map(({ labels }) => labels),
    note === '' ? '' : text(note, margin, height - 9, { size: 11 }),
    '</svg>',
  ].join('');
}

/** Values with lines across the plot, moments with ticks, and the stretch of time that the home average is of. */
function axes(
  { scale: x, ticks }: Axis,
  { scale: y, ticks: values }: Axis,
  home: Span | null,
  hasHeartRate: boolean,
): string[] {
  const { left, right, bottom } = plot;
  const pressure = `Blood pressure (${units.systolic})`;
  const both = `${pressure} and heart rate (${units.heart_rate})`;
  const size = 12;
  return [
    ...values.map(({ at }) => stroked(through([numbersEnd, y(at)], [right, y(at)]), ink.grid, 1)),
    stroked(through([left, bottom], [right, bottom]), ink.axis, 1),
    ...ticks.map(({ at }) => stroked(through([x(at), bottom], [x(at), bottom + 5]), ink.axis, 1)),
    home === null ? '' : homeDays(through([x(home[0]), bottom], [x(home[1]), bottom])),
    text(hasHeartRate ? both : pressure, margin, 84, { size }),
    ...values.map(({ at, label }) =>
      text(label, numbersEnd - 6, y(at) + 4, { size, anchor: 'end' }),
    ),
    ...ticks.flatMap(({ at, label }) =>
      label
        .split('\n')
        .map((words, line) =>
          text(words, x(at), bottom + 19 + 15 * line, { size, anchor: 'middle' }),
        ),
    ),
  ];
}

function homeDays(path: string): string {
  return stroked(path, ink.axis, 4, { 'stroke-linecap': 'round' });
}

/** What is drawn of one measure: a line below the averages, marks above them if there is room. */
function courseOf(
  points: readonly Point[],
  measure: MeasureName,
  { x, y }: { x: Axis['scale']; y: Axis['scale'] },
): { line: string; marks: string } {
  const places = points.flatMap(({ at, [measure]: value }): [number, number][] =>
    value === null ? [] : [[x(at), y(value)]],
  );
  if (places.length === 0) return { line: '', marks: '' };
  const { bright } = colours[measure];
  const { width, markSize } = lookFor((plot.right - plot.left) / places.length);
  const shapes = places.map(([right, down]) => markPath(measure, right, down, markSize));
  return {
    line: stroked(through(...places), bright, width),
    marks: markSize === 0 ? '' : filled(shapes.join(''), bright),
  };
}

/** Hundreds of large marks would hide the line. */
function lookFor(distance: number): { width: number; markSize: number } {
  if (distance >= 9) return { width: 1.75, markSize: 7 };
  if (distance >= 3) return { width: 1.25, markSize: 4 };
  return { width: 1, markSize: 0 };
}

const kinds = {
  own: {
    heading: 'Own average',
    side: 'right',
    width: 1.5,
    dashes: { 'stroke-dasharray': '7 4' },
  },
  cohort: {
    heading: 'Cohort average',
    side: 'left',
    width: 2,
    dashes: { 'stroke-dasharray': '0.5 4', 'stroke-linecap': 'round' },
  },
} as const;

const labelHeight = 17;
/** The distance from the middle of a letter to the line on which it stands. */
const halfLetter = 4;

/** A leader joins each label to its line, since labels of lines that are close together are moved apart. */
function references(
  kind: keyof typeof kinds,
  averages: Figures,
  y: Axis['scale'],
  withNoise = '',
): { lines: string; labels: string } {
  const { heading, side, width, dashes } = kinds[kind];
  const lines = measureNames
    .flatMap((measure) => {
      const value = averages[measure];
      if (value === null) return [];
      return { measure, y: y(value), label: `${measureTitles[measure]} ${value.toFixed(1)}` };
    })
    .sort((one, other) => one.y - other.y);
  if (lines.length === 0) return { lines: '', labels: '' };
  const edge = plot[side];
  const away = (distance: number) => edge + (side === 'left' ? -distance : distance);
  const join = (from: number, to: number) =>
    through([edge, from], [away(leader - 5), to], [away(leader), to]);
  const anchor = side === 'left' ? 'end' : 'start';
  const label = (words: string, middle: number, fill: string) =>
    text(words, away(leader + gap), middle + halfLetter, {
      size: 12.5,
      weight: 500,
      halo: true,
      fill,
      anchor,
    });
  const headingAt = plot.top - 16;
  const positions = spreadLabels(lines.map((line) => line.y));
  const labelled = lines.map((line, index) => ({ ...line, position: positions[index] ?? line.y }));
  return {
    lines: [
      stroked(join(headingAt, headingAt), ink.normal, width, dashes),
      ...labelled.map(({ measure, y: at, position }) => {
        const across = through([plot.left, at], [plot.right, at]);
        return stroked(across + join(at, position), colours[measure].dark, width, dashes);
      }),
    ].join(''),
    labels: [
      label(withNoise || heading, headingAt, ink.normal),
      ...labelled.map((line) => label(line.label, line.position, colours[line.measure].dark)),
    ].join(''),
  };
}

/** Moves heights, given from top to bottom, apart: each down as far as it has to be, but never below the plot. */
export function spreadLabels(heights: readonly number[]): number[] {
  const places: number[] = [];
  for (const height of heights) {
    places.push(Math.max(height, (places.at(-1) ?? -Infinity) + labelHeight));
  }
  const lowest = (index: number) => plot.bottom - (places.length - 1 - index) * labelHeight;
  return places.map((place, index) => Math.min(place, lowest(index)));
}

/** Each measure beside a piece of its line, laid out from right to left, and the home average below. */
function legend(recorded: readonly MeasureName[], hasHome: boolean): string[] {
  const [lineLength, space, y] = [28, 20, 29];
  let end = width - margin;
  const place = (name: string, letterWidth: number) => {
    const start = end - name.length * letterWidth;
    const line = { from: start - 6 - lineLength, to: start - 6 };
    end = line.from - space;
    return { start, ...line };
  };
  const measures = recorded.toReversed().map((measure) => {
    const { start, from, to } = place(measureTitles[measure], 6.5);
    const { bright } = colours[measure];
    return [
      stroked(through([from, y], [to, y]), bright, 1.75),
      filled(markPath(measure, (from + to) / 2, y, 7), bright),
      text(measureTitles[measure], start, y + 5, { size: 13.5, fill: ink.strong }),
    ].join('');
  });
  end = width - margin;
  const { start, from, to } = place(homeDaysTitle, 5.75);
  const below = [
    homeDays(through([from, y + 20], [to, y + 20])),
    text(homeDaysTitle, start, y + 25, { size: 11 }),
  ];
  return [...measures, ...(hasHome ? below : [])];
}
