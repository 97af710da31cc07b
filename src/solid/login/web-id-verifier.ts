import { hash } from 'node:crypto';
import {
  calculateJwkThumbprint,
  decodeJwt,
  EmbeddedJWK,
  errors,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import { ConcurrencyLimit } from '../../base/concurrency.js';
import { createSolidClient } from '../http-solid-client.js';
import type { HttpSolidClient, WebIdProof } from '../solid-client.js';
import { IssuerKeys, unproved, WebIdProfiles, withoutSlash } from './issuers.js';
import { ReplayMemory } from './replay-memory.js';

export interface WebIdVerifierOptions {
  issuers: readonly string[];
  /** Origins of profiles that may be fetched, besides those of the issuers. */
  origins: readonly string[];
  /** How many signatures are checked at once; the others wait. */
  atOnce: number;
  now?: () => number;
}

const LONGEST_VALUE = 16_384;
/** Asymmetric signatures only. */
const signed = {
  algorithms: 'ES256 ES384 ES512 EdDSA PS256 PS384 PS512 RS256 RS384 RS512'.split(' '),
  clockTolerance: '2m',
};

const secureAddress = z
  .string()
  .max(2_048)
  .refine((text) => {
    const { protocol, hostname } = URL.canParse(text)
      ? new URL(text)
      : { protocol: '', hostname: '' };
    return protocol === 'https:' || (protocol === 'http:' && /(^|\.)localhost$/.test(hostname));
  });
const tokenClaims = z.object({
  webid: secureAddress,
  iss: secureAddress,
  exp: z.number(),
  /** The thumbprint of the key that signs proofs. */
  cnf: z.object({ jkt: z.string() }),
});
const proofClaims = z.object({
  htm: z.literal('POST'),
  ath: z.string(),
  jti: z.string().min(1).max(256),
});

const usedProofs = {
  /** Proofs are accepted from four minutes ago to two minutes ahead. */
  lifetimeMs: 6 * 60_000,
  // An app has two calls in hand at most.
  mostOfOne: 100,
};
/** One profile that fails must not hold up the profiles of others. */
const patience = {
  timeouts: { answerMs: 5_000, totalMs: 10_000 },
  policy: { tries: 2, slowTries: 1, longestPauseMs: 250, mostRefusals: 1, atOnce: 100 },
};

/** Checks WebIDs by Solid-OIDC and RFC 9449; docs/decisions.md says why it is not a library's. */
export class WebIdVerifier {
  readonly #issuers: ReadonlySet<string>;
  readonly #client: HttpSolidClient;
  readonly #keys: IssuerKeys;
  readonly #profiles: WebIdProfiles;
  readonly #used: ReplayMemory;
  readonly #checks: ConcurrencyLimit;

  constructor({ issuers, origins, atOnce, now = Date.now }: WebIdVerifierOptions) {
    this.#issuers = new Set(issuers.map(withoutSlash));
    const [serverUrl = '', ...allowedOrigins] = [...issuers, ...origins];
    this.#client = createSolidClient({
      serverUrl,
      allowedOrigins,
      credentials: null,
      ...patience,
    });
    this.#keys = new IssuerKeys(this.#client, now);
    this.#profiles = new WebIdProfiles(this.#client, now);
    this.#used = new ReplayMemory(usedProofs, now);
    this.#checks = new ConcurrencyLimit(atOnce);
  }

  /** Rejects with kind `call` when the proof fails, and with a ServerError when it cannot be checked now. */
  async verify(proof: WebIdProof, url: string): Promise<string> {
    const { token, issuer } = this.#checkClaims(proof, url);
    // The wait for keys and profiles is outside of the limit, so that one slow server does not hold up all callers.
    const keys = await this.#keys.of(issuer, token);
    const { webId, jti } = await this.#checks
      .run(() => checkSignatures(token, proof.dpop, keys))
      .catch((error: unknown) => {
        throw unproved(
          error instanceof errors.JWTExpired
            ? 'it has expired'
            : 'the token or the proof is not valid',
        );
      });
    const use = this.#used.use(webId, jti);
    if (use === 'again') throw unproved('it was used before');
    if (use === 'full') throw unproved('too many came of this WebID; try again in some minutes');
    // Last, so that only callers with a login can make the service fetch profiles.
    await this.#profiles.requireNamed(webId, issuer);
    return webId;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #checkClaims(
    { authorization, dpop }: WebIdProof,
    url: string,
  ): { token: string; issuer: string } {
    if (Math.max(authorization.length, dpop.length) > LONGEST_VALUE)
      throw unproved('it is too long');
    const token = /^DPoP +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) throw unproved('it must be "DPoP" and a token');
    const { iss } = decode(token);
    if (iss === undefined || !this.#issuers.has(withoutSlash(iss))) {
      throw unproved('this service does not trust the issuer of the token');
    }
    const { htu, ath } = decode(dpop);
    if (htu !== url) throw unproved(`it must be made for a POST to ${url}`);
    if (typeof ath !== 'string' || ath === '') throw unproved('it lacks the claim ath');
    return { token, issuer: iss };
  }
}

/** The issuer must have signed the token. The proof must be signed with the key that the token names. */
async function checkSignatures(
  token: string,
  dpop: string,
  keys: JWTVerifyGetKey,
): Promise<{ webId: string; jti: string }> {
  const access = await jwtVerify(token, keys, { ...signed, audience: 'solid', maxTokenAge: '1d' });
  const { webid, cnf } = tokenClaims.parse(access.payload);
  const options = { ...signed, typ: 'dpop+jwt', maxTokenAge: '2m' };
  const proof = await jwtVerify(dpop, EmbeddedJWK, options);
  const { ath, jti } = proofClaims.parse(proof.payload);
  const { jwk } = proof.protectedHeader;
  if (jwk === undefined || (await calculateJwkThumbprint(jwk)) !== cnf.jkt)
    throw new Error('The proof was made with another key.');
  if (ath !== hash('sha256', token, 'base64url')) throw new Error('It was made for another token.');
  return { webId: webid, jti };
}

function decode(token: string): Record<string, unknown> & { iss?: string } {
  try {
    return decodeJwt(token);
  } catch {
    throw unproved('it is not a JSON Web Token');
  }
}
