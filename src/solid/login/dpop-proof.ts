import {
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { serverSpelling, withoutQuery } from '../server-spelling.js';
import type { SolidAnswer } from '../solid-client.js';

/** A key for DPoP (RFC 9449). It is used with node:crypto directly, for speed: every request needs a fresh proof. */
export interface DpopKey {
  privateKey: KeyObject;
  header: string;
}

export interface DpopClaims {
  method: string;
  url: string;
  /** Seconds since 1970. */
  issuedAt: number;
  accessToken?: string;
  nonce?: string | undefined;
  /** For servers that compare the address letter by letter with the requested one. */
  asSpelled?: boolean;
}

/** The DER form of a P-256 key ends in 32 bytes of x and 32 bytes of y. */
const COORDINATE_BYTES = 32;

export function createDpopKey(): DpopKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // DER, because exporting a fresh key as JWK can hang Node 20.
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
    htu: claims.asSpelled === true ? withoutQuery(claims.url) : serverSpelling(claims.url),
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

/** The nonce that the next proof has to hold, if a server refuses this one for want of it. */
export function demandedNonce({ status, headers }: SolidAnswer): string | undefined {
  return status === 400 || status === 401 ? headers['dpop-nonce'] : undefined;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
