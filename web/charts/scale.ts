/** Round values within the domain, about `wanted` of them. */
export function niceTicks([low, high]: readonly [number, number], wanted: number): number[] {
  const width = high - low;
  if (!(width > 0) || wanted < 1) return [low];
  const rough = width / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** The values' span with room around it, never narrower than `least`: noise must not look like a trend. */
export function spanOf(values: readonly number[], least: number): [number, number] {
  if (values.length === 0) return [0, least];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const room = Math.max((least - (high - low)) / 2, (high - low) * 0.08);
  return [low - room, high + room];
}
