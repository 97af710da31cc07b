/** Maps numbers onto pixels. */
export type Scale = (value: number) => number;

export function linearScale(
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): Scale {
  const width = high - low;
  return (value) => (width === 0 ? (from + to) / 2 : from + ((value - low) / width) * (to - from));
}
