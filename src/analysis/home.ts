import { groupBy, present } from '../base/lists.js';
import { DAY_MS, formatDay } from '../base/utc-time.js';
import { byMeasure, type Figures, type Reading, wallClock } from './reading.js';
import { summariseMeasure, sumsOf } from './sums.js';

/** docs/decisions.md says where each of these rules comes from. */
const WEEK = 7;
/** The days of a home average lie within this number of calendar days. */
const SPAN_DAYS = 10;
const REACH_DAYS = 30;
/** The first day is left out only if at least this number of other days remains. */
const FEWEST_DAYS = 3;
const FEWEST_READINGS = 12;
const FEWEST_OF_A_HALF = 3;

/** The readings of each day. A day is a number of days since 1970, by the clock of the readings. */
type Days = ReadonlyMap<number, readonly Reading[]>;

interface CountedDays {
  days: readonly number[];
  readings: readonly Reading[];
  firstDayLeftOut: boolean;
}

/** `from` and `to` are averaged days themselves. `morning` is before noon; a half is null below three readings. */
export type DaysAverage = ReturnType<typeof averageOfDays>;

/** If any reading has a date, exactly one of the two is set; otherwise both are null. */
export interface LatestAverages {
  /** The average of a week, as guidelines on readings at home take it. */
  home: DaysAverage | null;
  recent: DaysAverage | null;
}

export function averagesOfLatest(readings: readonly Reading[]): LatestAverages {
  const days = byDay(readings);
  const home = newestWeek(days);
  if (home !== null) return { home: averageOfDays(home), recent: null };
  const recent = latestDays(days);
  return { home: null, recent: recent && averageOfDays(recent) };
}

export function homeReadings(readings: readonly Reading[]): readonly Reading[] {
  return newestWeek(byDay(readings))?.readings ?? [];
}

/** An earlier week if the last has too few readings: else the first reading of a new day could end the home average. */
function newestWeek(days: Days): CountedDays | null {
  const lastDays = within(days, newestOf(days), REACH_DAYS);
  for (const last of lastDays) {
    const week = chooseDays(days, within(days, last, SPAN_DAYS - 1));
    if (week?.firstDayLeftOut && week.readings.length >= FEWEST_READINGS) return week;
  }
  return null;
}

function latestDays(days: Days): CountedDays | null {
  return chooseDays(days, within(days, newestOf(days), REACH_DAYS));
}

/**
 * Chooses the days that count from `chosen`, which has the newest day first: the newest six days, and as many earlier
 * days as are needed for twelve readings. If there are more than three days, the oldest never counts.
 */
function chooseDays(days: Days, chosen: readonly number[]): CountedDays | null {
  if (chosen.length === 0) return null;
  const readingsOf = (some: readonly number[]) => some.flatMap((day) => days.get(day) ?? []);
  const firstDayLeftOut = chosen.length > FEWEST_DAYS;
  const most = firstDayLeftOut ? chosen.length - 1 : chosen.length;
  let counted = chosen.slice(0, Math.min(WEEK - 1, most));
  while (counted.length < most && readingsOf(counted).length < FEWEST_READINGS) {
    counted = chosen.slice(0, counted.length + 1);
  }
  counted.reverse();
  return { days: counted, readings: readingsOf(counted), firstDayLeftOut };
}

function byDay(readings: readonly Reading[]): Days {
  return new Map(
    [...groupBy(readings, dayOf)].flatMap(([day, ofDay]) => (day === null ? [] : [[day, ofDay]])),
  );
}

function newestOf(days: Days): number {
  return [...days.keys()].reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
}

/** The days from `reach` days before `last` up to `last`, newest first. */
function within(days: Days, last: number, reach: number): number[] {
  return [...days.keys()]
    .filter((day) => day <= last && last - day <= reach)
    .sort((one, other) => other - one);
}

function averageOfDays({ days, readings, firstDayLeftOut }: CountedDays) {
  const half = (isEvening: boolean) => {
    const ofHalf = readings.filter((reading) => isAfterNoon(reading) === isEvening);
    return ofHalf.length < FEWEST_OF_A_HALF ? null : averageOfReadings(ofHalf);
  };
  return {
    from: formatDay(Math.min(...days)),
    to: formatDay(Math.max(...days)),
    days: days.length,
    readings: readings.length,
    average: averageOfReadings(readings),
    morning: half(false),
    evening: half(true),
    first_day_left_out: firstDayLeftOut,
  };
}

function dayOf(reading: Reading): number | null {
  const clock = wallClock(reading);
  return clock === null ? null : Math.floor(clock / DAY_MS);
}

/** Null if the reading has no time of day. */
function isAfterNoon(reading: Reading): boolean | null {
  const clock = wallClock(reading);
  if (clock === null || reading.offset === null) return null;
  return clock - Math.floor(clock / DAY_MS) * DAY_MS >= DAY_MS / 2;
}

export function averageOfReadings(readings: readonly Reading[]): Figures {
  return byMeasure(
    (name) => summariseMeasure(sumsOf(present(readings.map((reading) => reading[name])))).average,
  );
}
