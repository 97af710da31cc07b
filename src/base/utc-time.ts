/** ISO 8601 with milliseconds and offset, as every document writes it. */
export function formatUtc(time: Date): string {
  return time.toISOString().replace('Z', '+00:00');
}
