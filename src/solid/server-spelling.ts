/**
 * An address in the form in which the Community Solid Server compares addresses, in access rules and in proofs. It has
 * no query and no fragment, and every reserved character of a path segment is percent-encoded (`localhost:3000-alice` →
 * `localhost%3A3000-alice`).
 */
export function serverSpelling(url: string): string {
  if (PLAIN.test(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname.split(ENCODED_DELIMITER).map(encodeSegment).join('');
}

/** Most addresses need no change; this saves parsing them. */
const PLAIN = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+\/?$/;

/** Slashes, encoded or not, stay as they are, because decoding would change their meaning. */
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
