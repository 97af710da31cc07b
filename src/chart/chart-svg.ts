import { type MeasureName, measureNames, units } from '../analysis/reading.js';
import { type Axis, timeAxis, valueAxis } from './axes.js';
import type { ChartPlan, Span } from './chart-plan.js';
import { describeDrawing, describeReadings, homeDaysTitle, measureTitles } from './chart-words.js';
import { courseOf } from './course.js';
import { markPath } from './mark-path.js';
import { height, margin, numbersEnd, plot, width } from './plot.js';
import { references } from './references.js';
import { colours, filled, font, ink, paper, stroked, text, through } from './svg.js';

/** Draws the picture of a plan. It contains no names of people. */
export function drawSvg(plan: ChartPlan): string {
  const { own, cohort, points, span, home } = plan;
  const horizontal = timeAxis(span);
  const values = [own, cohort, ...points].flatMap((of) => measureNames.map((name) => of[name]));
  const vertical = valueAxis(values.filter((value) => value !== null));
  const recorded = measureNames.filter(
    (name) => own[name] !== null || points.some((point) => point[name] !== null),
  );
  const scales = { x: horizontal.scale, y: vertical.scale };
  const courses = recorded.map((measure) => courseOf(points, measure, scales));
  const averages = [
    references('own', own, vertical.scale),
    references('cohort', cohort, vertical.scale),
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
    text(hasHeartRate ? both : pressure, margin, 81, { size }),
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
