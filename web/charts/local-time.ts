/** A time whose UTC reads as the clock of the reader's zone. */
export function localTime(time: number): number {
  return time - new Date(time).getTimezoneOffset() * 60_000;
}
