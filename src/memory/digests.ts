/** Keyed digests: equal for equal values, and meaningless without the key. */
export type DigestOf = (kind: 'key' | 'root' | 'path' | 'order', value: string | Buffer) => string;

const DIGEST_BYTES = 16;

/** `fingerprint` is keyed. */
export function digestsOf(fingerprint: (text: string) => Buffer): DigestOf {
  return (kind, value) => {
    const text = typeof value === 'string' ? value : value.toString('base64');
    return fingerprint(`${kind} ${text}`).subarray(0, DIGEST_BYTES).toString('base64url');
  };
}
