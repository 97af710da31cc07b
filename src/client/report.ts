import { describeLatest } from '../analysis/home-words.js';
import { measureNames } from '../analysis/reading.js';
import { countOf } from '../base/sentences.js';
import { describePeriod } from '../base/study-period.js';
import type { PodAverageDocument } from '../documents/published-document.js';
import { type Html, html } from './html.js';
import type { StoredReading } from './readings.js';
import { heading, readingLists } from './report-readings.js';
import { chartOf } from './result.js';
import { type ResultRow, resultRows, showFigure, whyDashes } from './result-rows.js';

/**
 * Renders a result as one page of HTML that a person can print for their doctor. The page loads nothing, runs no
 * script and never says what the figures mean. `person` is the person's name or WebID.
 */
export function renderReport(
  result: PodAverageDocument,
  readings: readonly StoredReading[],
  { person }: { person: string },
): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Blood pressure of ${person}</title>
<style>${style}</style>
</head>
<body>
<h1>Blood pressure</h1>
<dl>${facts(result, person).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
${averages(result)}
${picture(result)}
${leftOut(result, readings)}
${readingLists(result, readings)}
</body>
</html>
`;
  return page.text;
}

function facts(
  { pod, period, generated_at, analyser_web_id }: PodAverageDocument,
  person: string,
): [string, string][] {
  const days = [pod.first_observation, pod.last_observation].flatMap((time) =>
    typeof time === 'string' ? time.slice(0, 'yyyy-mm-dd'.length) : [],
  );
  const span = [...new Set(days)].join(' to ');
  const count = countOf(pod.observation_count, 'reading');
  return [
    ['Person', person],
    ['Readings that count', span === '' ? count : `${count}, ${span}`],
    ...(period === undefined ? [] : [fact('Study period', describePeriod(period))]),
    ['Worked out', `${generated_at.slice(0, 16).replace('T', ' ')} UTC, by ${analyser_web_id}`],
  ];
}

function fact(name: string, value: string): [string, string] {
  return [name, value];
}

function averages(result: PodAverageDocument): Html {
  const { cohort, pod } = result;
  const latestDays = describeLatest(pod);
  const remarks = [
    ...(latestDays === null ? [] : [latestDays]),
    ...whyDashes(result),
    ...aboutCohort(cohort),
  ];
  return html`<section>
<h2>Averages</h2>
<table>
<thead><tr><th scope="col"></th>${measureNames.map(heading)}</tr></thead>
<tbody>${resultRows(result, 'average of the readings that count').map(averageRow)}</tbody>
</table>
${remarks.map((remark) => html`<p>${remark}</p>`)}
</section>`;
}

/** The text has to be true for exact figures, for figures that are released in steps, and for figures with noise. */
function aboutCohort({ pod_count, average_of_averages }: PodAverageDocument['cohort']): string[] {
  if (measureNames.every((name) => average_of_averages[name] === null)) return [];
  return [
    `The cohort average comes from the averages of people who share readings with the same service. The service had ${countOf(pod_count, 'Pod')} at this analysis; the cohort average can rest on fewer, be of an earlier day or be blurred, so that nobody can be singled out. It is not a value to aim at.`,
  ];
}

function averageRow({ label, isHalfOfDay, figures }: ResultRow): Html {
  const cells = measureNames.map((name) => html`<td>${showFigure(figures?.[name] ?? null)}</td>`);
  const kind = isHalfOfDay ? 'half' : 'whole';
  return html`<tr class="${kind}"><th scope="row">${capitalised(label)}</th>${cells}</tr>`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Shows the chart only if it is a PNG. */
function picture(result: PodAverageDocument): Html {
  const png = chartOf(result);
  if (png === null || !png.subarray(0, pngSignature.length).equals(pngSignature)) return html``;
  const address = `data:image/png;base64,${png.toString('base64')}`;
  return html`<figure><img src="${address}" alt="The readings over time, with the averages as lines"></figure>`;
}

function leftOut({ pod }: PodAverageDocument, readings: readonly StoredReading[]): Html {
  const { files_skipped: skipped } = pod;
  const unreadable = readings.filter(({ reading }) => reading === null).length;
  const sentences = [
    ...(pod.notes ?? []),
    ...(skipped === 0 ? [] : [`${countOf(skipped, 'file')} could not be read by the service.`]),
    ...(unreadable === 0
      ? []
      : [`${countOf(unreadable, 'file')} could not be read for the lists below.`]),
  ];
  if (sentences.length === 0) return html``;
  return html`<section>
<h2>Left out</h2>
<ul>${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>
</section>`;
}

const style = html`
@page { size: A4; margin: 16mm; }
:root { color-scheme: light; }
body { max-width: 178mm; margin: 8mm auto; padding: 0 4mm; color: #1f2933; font: 10.5pt/1.4 system-ui, sans-serif; }
@media print { body { margin: 0; padding: 0; } }
h1 { margin: 0 0 3mm; font-size: 18pt; }
h2 { margin: 6mm 0 2mm; font-size: 12pt; break-after: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.5mm 5mm; margin: 0; }
dt { color: #52606d; }
dd { margin: 0; overflow-wrap: anywhere; }
p { margin: 1.5mm 0; color: #52606d; }
ul { margin: 0; padding-left: 5mm; }
figure { margin: 5mm 0 0; break-inside: avoid; }
img { display: block; max-width: 100%; max-height: 85mm; margin: 0 auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
th, td { padding: 1mm 2mm; border-bottom: 0.25mm solid #d5dbe1; text-align: right; vertical-align: top; }
th[scope="row"], thead th:first-child { padding-left: 0; text-align: left; font-weight: normal; white-space: nowrap; }
thead th { color: #52606d; font-weight: 600; white-space: nowrap; }
.list { font-size: 9pt; }
.list th, .list td { padding: 0.4mm 2mm; }
.list th[scope="row"] { padding-left: 0; }
.list .notes { width: 45%; }
.why + .note { color: #52606d; }
small { font-weight: normal; }
.half th[scope="row"] { padding-left: 5mm; color: #52606d; }
.notes { text-align: left; overflow-wrap: anywhere; }
`;
