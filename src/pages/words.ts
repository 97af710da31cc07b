import { formatClock, formatDay } from '../chart/chart-words.js';

/** How the pages write numbers and times. All times are in UTC, since nothing in a page knows the reader's zone. */
const missing = '–';
const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** One decimal, as in the chart: a cuff measures whole units, so more decimals would pretend to be exact. */
export function average(value: number | null | undefined): string {
  return value === null || value === undefined ? missing : value.toFixed(1);
}

/** A count, or a single reading, which is whole unless it was recorded with a fraction. */
export function number(value: number | null): string {
  return value === null ? missing : grouped.format(value);
}

export function counted(value: number, singular: string, plural = `${singular}s`): string {
  return `${number(value)} ${value === 1 ? singular : plural}`;
}

/** `19 Nov 2026, 09:15:02 UTC`: by it people tell runs apart, of which there can be several in a minute. */
export function moment(time: string | Date | null): string {
  if (time === null) return missing;
  const at = new Date(time);
  return `${formatDay(at.getTime())}, ${at.toISOString().slice(11, 19)} UTC`;
}

/** A reading by its own clock: `19 Nov 2026, 09:15`, with `+10:00` behind it where its text says so. */
export function readingTime(text: string | null): string {
  const [, clock = '', offset = ''] = /^([\d-]+T[\d:.]+)(Z|[+-][\d:]+)?$/.exec(text ?? '') ?? [];
  if (clock === '') return day(text);
  return `${minuteOf(Date.parse(`${clock}Z`))} ${offset}`.trim();
}

function minuteOf(at: number): string {
  return Number.isNaN(at) ? missing : `${formatDay(at)}, ${formatClock(at)}`;
}

/** `19 Nov 2026`: of a reading by its own clock. */
export function day(text: string | null): string {
  const at = Date.parse(text?.slice(0, 'yyyy-mm-dd'.length) ?? '');
  return Number.isNaN(at) ? missing : formatDay(at);
}
