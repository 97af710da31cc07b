import { isDeepStrictEqual } from 'node:util';
import { describeLatest } from '../analysis/home-words.js';
import { byMeasure, measureNames, type Reading, wallClock } from '../analysis/reading.js';
import { summariseMeasure, sumReadings } from '../analysis/sums.js';
import { countOf } from '../base/sentences.js';
import { describePeriod, type StudyPeriod } from '../base/study-period.js';
import type { PodAverageDocument } from '../documents/published-document.js';
import type { StoredReading } from './readings.js';
import { chartOf } from './result.js';
import { aboutFigures, measureColumns, onlyOne, resultRows, showFigures } from './result-rows.js';

const MOST_READINGS = 30;
/** With all else, four pages of A4. */
const MOST_OF_RANGE = 100;

/**
 * One page of HTML to print: it loads nothing, runs no script and never says what the figures mean. With a `range`, it
 * lists the readings of these days in place of the last ones.
 */
export function renderReport(
  result: PodAverageDocument,
  stored: readonly StoredReading[],
  { person, range = null }: { person: string; range?: StudyPeriod | null },
): string {
  const averages = resultRows(result, 'average of the readings that count', '– ');
  const readings = stored.flatMap(({ reading, notes }) =>
    reading === null ? [] : { ...reading, notes, clock: wallClock(reading) },
  );
  const chosen = range === null ? null : choose(readings, range);
  const last = (chosen?.readings ?? readings)
    .sort((reading, next) => (next.clock ?? 0) - (reading.clock ?? 0))
    .slice(0, chosen === null ? MOST_READINGS : MOST_OF_RANGE)
    .map(({ clock, offset, notes, ...reading }) => [
      clock === null ? 'no time' : timeOf(clock, offset),
      ...measureNames.map((name) => reading[name] ?? '–'),
      ...(chosen === null ? [notes] : []),
    ]);
  const head = ['time on the clock', ...measureColumns, ...(chosen === null ? ['notes'] : [])];
  // A WebID would break a heading into pieces.
  const isNamed = !/^https?:/.test(person);
  const title = isNamed ? `Blood pressure of ${person}` : 'Blood pressure';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
@page { size: A4; margin: 16mm; }
body { max-width: 178mm; margin: auto; color: #1f2933; background: #fff; font: 10.5pt/1.4 system-ui, sans-serif; }
h2 { font-size: 12pt; break-after: avoid; }
p, td:last-child { overflow-wrap: anywhere; }
img { display: block; max-width: 100%; max-height: 85mm; margin: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
tr { break-inside: avoid; }
th, td { padding: 0.7mm 2mm; border-bottom: 0.25mm solid #d5dbe1; text-align: right; }
:is(th, td):is(:first-child, :nth-child(5)) { text-align: left; }
tr:has(:nth-child(5)) td:first-child { white-space: nowrap; }
th:nth-child(5) { width: 33%; }
@media (max-width: 30em) { body { margin: 2mm; font-size: 9pt; } th, td { padding: 0.7mm; } }
</style>
</head>
<body>
<h1>${title}</h1>
${isNamed ? html`` : html`<p>${person}</p>`}
${sentencesOf(result, readings, stored.length - readings.length).map((text) => html`<p>${text}</p>`)}
${chosen === null ? html`` : html`<p>${chosen.about}</p>`}
${table(['', ...measureColumns], chosen === null ? averages : [...averages, chosen.row])}
${picture(result)}
${last.length === 0 ? html`` : html`<h2>${chosen?.heading ?? `The last ${countOf(last.length, 'reading')} of the Pod`}</h2>\n${table(head, last)}`}
</body>
</html>
`.markup;
}

function choose<Stored extends Reading>(readings: readonly Stored[], period: StudyPeriod) {
  const rules = { now: 0, windowDays: null, period };
  const { sums, readings: counted } = sumReadings({ readings, incomplete: 0 }, rules);
  const inRange = new Set(counted);
  const days = describePeriod(period);
  const count = countOf(sums.count, 'reading');
  const more = sums.count - MOST_OF_RANGE;
  const average = byMeasure((name) => summariseMeasure(sums.measures[name]).average);
  return {
    readings: readings.filter((reading) => inRange.has(reading)),
    row: [`average ${days}`, ...showFigures(average)],
    about: `The average ${days} was worked out for this page, from ${count} in the Pod that have a time and plausible values; the other averages by the service.`,
    heading: `${count} ${days}${more > 0 ? `, the earliest ${more} not listed` : ''}`,
  };
}

function sentencesOf(result: PodAverageDocument, held: readonly Reading[], lost: number): string[] {
  const { pod, period, generated_at, analyser_web_id, cohort } = result;
  const ends = [pod.first_observation, pod.last_observation].map((time) => time?.slice(0, 10));
  const span = ends.includes(undefined) ? '' : `, ${ends.join(' to ')}`;
  const count = countOf(pod.observation_count, 'reading');
  const isCohortSent = measureNames.some((name) => cohort.average_of_averages[name] !== null);
  return [
    `Worked out ${generated_at.slice(0, 16).replace('T', ' ')} UTC by ${analyser_web_id}. ${count} behind the averages${span}; the Pod now holds ${held.length}.`,
    isOf(result, held) ? '' : othersNow,
    period === undefined ? '' : `Study period: ${describePeriod(period)}.`,
    ...(pod.notes ?? []),
    pod.files_skipped === 0
      ? ''
      : `${countOf(pod.files_skipped, 'file')} could not be read by the service.`,
    lost === 0 ? '' : `${countOf(lost, 'file')} could not be read for the list below.`,
    describeLatest(pod) ?? '',
    ...aboutFigures(result),
    isCohortSent ? aboutCohort(result) : '',
  ].filter((sentence) => sentence !== '');
}

const othersNow =
  'The readings of the Pod are not those behind the averages: they have changed since, or not all of them count. The averages and the chart are of then, the list below is of now.';

function isOf({ pod, period }: PodAverageDocument, held: readonly Reading[]): boolean {
  const rules = { now: 0, windowDays: null, period: period ?? null };
  const { measures } = sumReadings({ readings: held, incomplete: 0 }, rules).sums;
  const ofHeld = byMeasure((name) => summariseMeasure(measures[name]));
  return isDeepStrictEqual(ofHeld, pod.measures);
}

function aboutCohort({ cohort: { pod_count: pods }, cohort_noise }: PodAverageDocument): string {
  if (pods === 1 && !cohort_noise) return `${onlyOne}, so the cohort average is yours.`;
  return `The cohort average comes from the averages of people who share readings with the same service. The service had ${countOf(pods, 'Pod')} at this analysis; the cohort average can rest on others, or be earlier. It is not a value to aim at.`;
}

function picture(result: PodAverageDocument): Html {
  const png = chartOf(result);
  if (png?.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return html``;
  const address = `data:image/png;base64,${png.toString('base64')}`;
  return html`<img src="${address}" alt="The readings over time, with the averages as lines">`;
}

function timeOf(clock: number, offset: number | string | null): string {
  const text = new Date(clock).toISOString().replace('T', ' ');
  return text.slice(0, offset === null ? 10 : 16);
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): Html {
  const cells = (row: readonly (string | number)[]) => row.map((cell) => html`<td>${cell}</td>`);
  return html`<table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</table>`;
}

type Html = Readonly<{ markup: string }>;

/** Escapes every value that is put in, unless it is markup itself. */
function html(texts: TemplateStringsArray, ...parts: readonly (string | number | Html | Html[])[]) {
  const escaped = parts.map((part) => {
    if (typeof part === 'object') return [part].flat().reduce((all, one) => all + one.markup, '');
    return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  });
  return { markup: String.raw({ raw: texts }, ...escaped) };
}
