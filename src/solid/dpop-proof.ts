import {
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';

/** RFC 9449, written with node:crypto directly: every single request carries a fresh proof. */
export interface DpopKey {
  privateKey: KeyObject;
  /** The encoded JOSE header, the same for every proof. */
  header: string;
}

export interface DpopClaims {
  method: string;
  url: string;
  /** Seconds since 1970. */
  issuedAt: number;
  accessToken?: string;
  nonce?: string | undefined;
}

/** A P-256 point at the end of its DER form: 32 bytes of x, 32 bytes of y. */
const COORDINATE_BYTES = 32;

export function createDpopKey(): DpopKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // DER, because exporting a fresh key as JWK was seen to hang Node 20.
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const x = der.subarray(-2 * COORDINATE_BYTES, -COORDINATE_BYTES).toString('base64url');
  const y = der.subarray(-COORDINATE_BYTES).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  return { privateKey, header: encode({ typ: 'dpop+jwt', alg: 'ES256', jwk }) };
}

export function createDpopProof(key: DpopKey, claims: DpopClaims): string {
  const { accessToken, nonce } = claims;
  const payload = encode({
    htm: claims.method,
    htu: toProofTarget(claims.url),
    iat: claims.issuedAt,
    jti: randomUUID(),
    ...(accessToken !== undefined && { ath: hash('sha256', accessToken, 'base64url') }),
    ...(nonce !== undefined && { nonce }),
  });
  const signed = `${key.header}.${payload}`;
  const signature = sign('sha256', Buffer.from(signed), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${signed}.${signature.toString('base64url')}`;
}

/**
 * The address as the server compares it: no query, no fragment, and every reserved character
 * of a path segment percent-encoded (`localhost:3000-alice` → `localhost%3A3000-alice`), although
 * the request itself goes to the address as it is.
 */
export function toProofTarget(url: string): string {
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

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
