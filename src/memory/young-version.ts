/** Many servers make the ETag from the time of the last change, in whole seconds. */
export const ETAG_RESOLUTION_MS = 1000;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether the next change could still get the same ETag: it holds the time of the last change, in
 * seconds or milliseconds, decimal or hexadecimal, and that was just now by the server's clock.
 */
export function isYoung(headers: Readonly<Record<string, string>>): boolean {
  const date = Date.parse(headers['date'] ?? '');
  const now = Number.isNaN(date) ? Date.now() : date;
  const isRecent = (time: number) => time > now - 2 * ETAG_RESOLUTION_MS && time < now + DAY_MS;
  const runs = (headers['etag'] ?? '').match(/[0-9a-f]{8,}/gi) ?? [];
  return runs
    .flatMap((run) => [Number(run), Number.parseInt(run, 16)])
    .some((value) => isRecent(value) || isRecent(value * 1000));
}
