/** The span of the values with room around it, never narrower than `least`: noise must not look like a trend. */
export function spanOf(values: readonly number[], least: number): [number, number] {
  const low = values.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const high = values.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  if (low > high) return [0, least];
  const room = Math.max((least - (high - low)) / 2, (high - low) * 0.08);
  return [low - room, high + room];
}
