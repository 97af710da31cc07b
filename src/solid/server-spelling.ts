/**
 * An address as the Community Solid Server spells it wherever it compares two, in access rules and
 * in proofs: no query, no fragment, and every reserved character of a path segment
 * percent-encoded (`localhost:3000-alice` → `localhost%3A3000-alice`), whatever was asked.
 */
export function serverSpelling(url: string): string {
  if (PLAIN.test(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname.split(ENCODED_DELIMITER).map(encodeSegment).join('');
}

/** An address that reads the same either way: most do, and taking it apart costs as much as the rest. */
const PLAIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\/?$/;

/** Slashes, also encoded ones, must not change their meaning by being decoded. */
const ENCODED_DELIMITER = /(\/|%(?:25)*(?:2f|5c))/i;

function encodeSegment(segment: string, index: number): string {
  if (index % 2 === 1) return segment.toUpperCase();
  try {
    return encodeURIComponent(decodeURIComponent(segment));
  } catch {
    return segment;
  }
}

export function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
