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

/** When something was: the moment, and what the clock on the wall showed, as if it were UTC. */
interface Moment {
  time: number;
  clock: number;
}

/** A day counts as a whole, by the clock on the wall; a moment is the same everywhere. */
export function isWithin(period: StudyPeriod): (moment: Moment) => boolean {
  const { from, until } = limitsOf(period);
  const as = ({ time, clock }: Moment, { isDay }: Limit) => (isDay ? clock : time);
  return (moment) => as(moment, from) >= from.time && as(moment, until) <= until.time;
}

interface Limit {
  time: number;
  isDay: boolean;
}

/** The first and the last millisecond. */
function limitsOf({ from, until }: StudyPeriod): { from: Limit; until: Limit } {
  const first = limitOf(from, Number.NEGATIVE_INFINITY);
  const last = limitOf(until, Number.POSITIVE_INFINITY);
  return { from: first, until: last.isDay ? { ...last, time: last.time + DAY_MS - 1 } : last };
}

function limitOf(text: string | null, none: number): Limit {
  if (text === null) return { time: none, isDay: false };
  return { time: Date.parse(text), isDay: text.length === 'yyyy-mm-dd'.length };
}
