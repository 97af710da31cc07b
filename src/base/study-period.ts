import { DAY_MS } from './utc-time.js';

/** The period of a study, as the configuration writes it: days, or moments with their offset from UTC. */
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

export function isEmpty(period: StudyPeriod): boolean {
  const { from, until } = limitsOf(period);
  return from.time > until.time;
}

interface Moment {
  /** Milliseconds since 1970; null when the time zone is unknown. */
  time: number | null;
  /** The time that the local clock showed, counted as if it were UTC. */
  clock: number;
}

/**
 * A day counts as a whole, by the local clock of the event. A moment is compared with the time of the event or, where
 * its zone is unknown, by the clock times of both.
 */
export function isWithin(period: StudyPeriod): (moment: Moment) => boolean {
  const { from, until } = limitsOf(period);
  const after = ({ time, clock }: Moment, limit: Limit) =>
    limit.isDay || time === null ? clock - limit.clock : time - limit.time;
  return (moment) => after(moment, from) >= 0 && after(moment, until) <= 0;
}

interface Limit {
  time: number;
  /** The clock time in the text, counted as if it were UTC. */
  clock: number;
  isDay: boolean;
}

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
