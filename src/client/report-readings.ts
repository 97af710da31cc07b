import {
  type MeasureName,
  measureNames,
  type Reading,
  units,
  wallClock,
} from '../analysis/reading.js';
import { countOf } from '../base/sentences.js';
import type { PodAverageDocument } from '../documents/published-document.js';
import { type Html, html } from './html.js';
import { reasonsLeftOut } from './left-out.js';
import type { StoredReading } from './readings.js';

/** Each list shows no more rows than this. */
const MOST_READINGS = 30;

const titles: Readonly<Record<MeasureName, string>> = {
  systolic: 'Systolic',
  diastolic: 'Diastolic',
  heart_rate: 'Heart rate',
};

export function heading(name: MeasureName): Html {
  return html`<th scope="col">${titles[name]} <small>${units[name]}</small></th>`;
}

interface Row {
  reading: Reading;
  notes: string;
  clock: number | null;
  /** Why the reading does not count; null if it may count. */
  reason: string | null;
}

/**
 * Two lists of the last readings: first those that the figures may include, then the others, each with the reason.
 */
export function readingLists(result: PodAverageDocument, stored: readonly StoredReading[]): Html {
  const reasonOf = reasonsLeftOut(result);
  const rows = stored
    .flatMap(({ reading, notes }): Row[] =>
      reading === null
        ? []
        : [{ reading, notes, clock: wallClock(reading), reason: reasonOf(reading) }],
    )
    .toSorted((one, other) => (other.clock ?? 0) - (one.clock ?? 0));
  const counting = rows.filter(({ reason }) => reason === null);
  const leftOut = rows.filter(({ reason }) => reason !== null);
  const remark = rows.length === 0 ? '' : whatCounts(counting.length, result);
  return html`${list('readings', counting, remark)}
${list('readings that do not count', leftOut)}`;
}

/** Compares the number of readings that may count with the number behind the averages; empty if they are equal. */
function whatCounts(counting: number, { pod }: PodAverageDocument): string {
  const behind = pod.observation_count;
  if (counting === behind) return '';
  const which = counting > behind ? '; the result does not say which of them are' : '';
  const here = `The Pod now has ${counting === 0 ? 'none' : counting} that can be among them${which}.`;
  return `The averages rest on ${countOf(behind, 'reading')}. ${here}`;
}

function list(what: string, rows: readonly Row[], remark = ''): Html {
  if (rows.length === 0 && remark === '') return html``;
  const shown = rows.slice(0, MOST_READINGS);
  const title =
    shown.length === rows.length ? what.replace(/^r/, 'R') : `The last ${shown.length} ${what}`;
  return html`<section>
<h2>${title}</h2>
${remark === '' ? html`` : html`<p>${remark}</p>`}
${rows.length === 0 ? html`` : table(shown)}
</section>`;
}

function table(rows: readonly Row[]): Html {
  const hasReasons = rows.some(({ reason }) => reason !== null);
  return html`<table class="list">
<thead><tr><th scope="col">Time on the clock</th>${measureNames.map(heading)}<th scope="col" class="notes">${hasReasons ? 'Why, and notes' : 'Notes'}</th></tr></thead>
<tbody>${rows.map(tableRow)}</tbody>
</table>`;
}

function tableRow({ reading, notes, clock, reason }: Row): Html {
  const cells = measureNames.map((name) => html`<td>${reading[name] ?? '–'}</td>`);
  return html`<tr><th scope="row">${timeOf(clock, reading.offset)}</th>${cells}<td class="notes">${withReason(notes, reason)}</td></tr>`;
}

function withReason(notes: string, reason: string | null): string | Html {
  if (reason === null) return notes;
  const note = notes === '' ? html`` : html`<div class="note">${notes}</div>`;
  return html`<div class="why">${reason}</div>${note}`;
}

/** The time as it stands in the reading's text: only the day, if the text has no time of day. */
function timeOf(clock: number | null, offset: Reading['offset']): string {
  if (clock === null) return 'no time';
  const text = new Date(clock).toISOString();
  return offset === null ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ');
}
