import { DAY_MS } from './utc-time.js';

/** The time that a study is about, as the configuration writes it: days, or moments with their offset. */
export interface StudyPeriod {
  from: string | null;
  until: string | null;
}

/** Null when all times count. */
export function studyPeriod({ from, until }: StudyPeriod): StudyPeriod | null {
  return from === null && until === null ? null : { from, until };
}

/** "2026-03-01 to 2026-05-31", "from 2026-03-01 on" or "until 2026-05-31". */
export function describePeriod({ from, until }: StudyPeriod): string {
  if (from === null) return `until ${until}`;
  return until === null ? `from ${from} on` : `${from} to ${until}`;
}

/** Whether it ends before it begins. */
export function isEmpty(period: StudyPeriod): boolean {
  const { from, until } = limitsOf(period);
  return from.time > until.time;
}

/** When something was. */
export interface Moment {
  /** Null when its zone is unknown. */
  time: number | null;
  /** What the clock on the wall showed, as if it were UTC. */
  clock: number;
}

/**
 * A day counts as a whole, by the clock on the wall. A moment is the same everywhere; without a zone, the clock on
 * the wall is compared with the clock that the limit is written in.
 */
export function isWithin(period: StudyPeriod): (moment: Moment) => boolean {
  const { from, until } = limitsOf(period);
  const after = ({ time, clock }: Moment, limit: Limit) =>
    limit.isDay || time === null ? clock - limit.clock : time - limit.time;
  return (moment) => after(moment, from) >= 0 && after(moment, until) <= 0;
}

interface Limit {
  time: number;
  /** As the text writes it, as if it were UTC. */
  clock: number;
  isDay: boolean;
}

/** The first and the last millisecond. */
function limitsOf({ from, until }: StudyPeriod): { from: Limit; until: Limit } {
  const first = limitOf(from, Number.NEGATIVE_INFINITY);
  const last = limitOf(until, Number.POSITIVE_INFINITY);
  if (!last.isDay) return { from: first, until: last };
  const end = last.time + DAY_MS - 1;
  return { from: first, until: { time: end, clock: end, isDay: true } };
}

function limitOf(text: string | null, none: number): Limit {
  if (text === null) return { time: none, clock: none, isDay: false };
  const time = Date.parse(text);
  const isDay = text.length === 'yyyy-mm-dd'.length;
  return { time, clock: isDay ? time : Date.parse(text.replace(zone, 'Z')), isDay };
}

const zone = /(?:Z|[+-]\d{2}:?\d{2})$/i;
