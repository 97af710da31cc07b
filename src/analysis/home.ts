import { groupBy } from '../base/lists.js';
import { DAY_MS, formatDay } from '../base/utc-time.js';
import { type Figures, figuresOf } from './figures.js';
import { aggregateMeasure } from './measure-aggregate.js';
import { type Reading, wallClock } from './reading.js';

/** Where each rule comes from: docs/decisions/home-average.md. */
const MOST_DAYS = 7;
const REACH_DAYS = 30;
/** Without the first day, which is left out where as many others remain. */
export const FEWEST_DAYS = 3;
export const FEWEST_READINGS = 12;
const FEWEST_OF_A_HALF = 3;

/** What a home average rests on. */
interface HomeWeek {
  /** Of the wall clock, since 1970, in order. */
  days: readonly number[];
  readings: readonly Reading[];
  firstDayLeftOut: boolean;
}

export interface HomeAverage {
  /** The first and the last of its days. */
  from: string;
  to: string;
  days: number;
  readings: number;
  average: Figures;
  /** Before and after noon; null where there are too few readings. */
  morning: Figures | null;
  evening: Figures | null;
  first_day_left_out: boolean;
  /** Whether there are enough days and readings, the first day not counted. */
  sufficient: boolean;
}

/** The last days that have readings; null where no reading has a date. */
export function homeWeek(readings: readonly Reading[]): HomeWeek | null {
  const byDay = groupBy(readings, dayOf);
  byDay.delete(null);
  const days = [...byDay.keys()].filter((day) => day !== null).sort((one, other) => other - one);
  const [newest] = days;
  if (newest === undefined) return null;
  const week = days
    .filter((day) => newest - day <= REACH_DAYS)
    .slice(0, MOST_DAYS)
    .reverse();
  const firstDayLeftOut = week.length > FEWEST_DAYS;
  const counted = firstDayLeftOut ? week.slice(1) : week;
  return {
    days: counted,
    readings: counted.flatMap((day) => byDay.get(day) ?? []),
    firstDayLeftOut,
  };
}

/** Takes the readings that a Pod's average rests on. */
export function averageAtHome(readings: readonly Reading[]): HomeAverage | null {
  const week = homeWeek(readings);
  const [first, last] = [week?.days[0], week?.days.at(-1)];
  if (week === null || first === undefined || last === undefined) return null;
  const half = (isEvening: boolean) => {
    const ofHalf = week.readings.filter((reading) => isAfterNoon(reading) === isEvening);
    return ofHalf.length < FEWEST_OF_A_HALF ? null : averageOf(ofHalf);
  };
  return {
    from: formatDay(first),
    to: formatDay(last),
    days: week.days.length,
    readings: week.readings.length,
    average: averageOf(week.readings),
    morning: half(false),
    evening: half(true),
    first_day_left_out: week.firstDayLeftOut,
    sufficient: week.firstDayLeftOut && week.readings.length >= FEWEST_READINGS,
  };
}

function dayOf(reading: Reading): number | null {
  const clock = wallClock(reading);
  return clock === null ? null : Math.floor(clock / DAY_MS);
}

/** Null where the reading's text shows a day alone. */
function isAfterNoon(reading: Reading): boolean | null {
  const clock = wallClock(reading);
  if (clock === null || reading.offset === null) return null;
  return clock - Math.floor(clock / DAY_MS) * DAY_MS >= DAY_MS / 2;
}

function averageOf(readings: readonly Reading[]): Figures {
  return figuresOf(
    (name) => aggregateMeasure(readings.flatMap((reading) => reading[name] ?? []))?.mean ?? null,
  );
}
