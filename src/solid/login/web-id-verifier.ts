import { verifySolidAccessToken } from '@solid/access-token-verifier/dist/algorithm/verifySolidAccessToken.js';
import { decodeJwt, errors } from 'jose';
import { AnalyserError } from '../../base/errors.js';
import { createSolidClient } from '../http-solid-client.js';
import type { HttpSolidClient } from '../solid-client.js';
import { IssuerKeys } from './issuer-keys.js';
import { ReplayMemory } from './replay-memory.js';
import { WebIdProfiles } from './web-id-profiles.js';
import type { WebIdProof } from './web-id-proof.js';

export interface WebIdVerifierOptions {
  /** Whose word on a WebID counts. */
  issuers: readonly string[];
  /** Where WebIDs may be looked up, besides the issuers' own origins. */
  origins: readonly string[];
  now?: () => number;
}

const LONGEST_VALUE = 16_384;
/** The verifier takes proofs from four minutes ago to two minutes ahead. */
const PROOF_LIFETIME_MS = 6 * 60_000;
const MOST_PROOFS = 100_000;

/**
 * Whether a caller is the WebID that it names: Solid-OIDC (resource access validation) and
 * RFC 9449 by the community's own verifier, with its gaps closed; docs/decisions/web-id-proof.md
 * lists them.
 */
export class WebIdVerifier {
  readonly #issuers: ReadonlySet<string>;
  readonly #client: HttpSolidClient;
  readonly #keys: IssuerKeys;
  readonly #profiles: WebIdProfiles;
  readonly #used: ReplayMemory;

  constructor({ issuers, origins, now = Date.now }: WebIdVerifierOptions) {
    this.#issuers = new Set(issuers.map(withoutSlash));
    const [serverUrl = '', ...allowedOrigins] = [...issuers, ...origins];
    this.#client = createSolidClient({
      serverUrl,
      allowedOrigins,
      credentials: null,
      timeouts: { answerMs: 5_000, totalMs: 10_000 },
      retry: { tries: 2, slowTries: 1 },
    });
    this.#keys = new IssuerKeys(this.#client, now);
    this.#profiles = new WebIdProfiles(this.#client, now);
    this.#used = new ReplayMemory(PROOF_LIFETIME_MS, MOST_PROOFS, now);
  }

  /**
   * The WebID that is proved for a POST to the address. Rejects with kind `call` when none is,
   * and with a ServerError when that cannot be found out now.
   */
  async verify(proof: WebIdProof, url: string): Promise<string> {
    const issuer = this.#checkClaims(proof, url);
    const webId = await this.#checkSignatures(proof, url, issuer);
    // Last, so that nobody without a login can have the service fetch anything.
    if (!(await this.#profiles.names(webId, issuer))) {
      throw refuse(
        `the profile of the WebID cannot be read, or names another solid:oidcIssuer than ${issuer}`,
      );
    }
    return webId;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** What the verifier leaves open or tells nothing about. */
  #checkClaims({ authorization, dpop }: WebIdProof, url: string): string {
    if (Math.max(authorization.length, dpop.length) > LONGEST_VALUE) throw refuse('it is too long');
    const token = /^DPoP +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined) throw refuse('it must be "DPoP" and a token');
    const { iss } = decode(token);
    if (iss === undefined || !this.#issuers.has(withoutSlash(iss))) {
      throw refuse('this service does not trust the issuer of the token');
    }
    const { htu, ath } = decode(dpop);
    if (htu !== url) throw refuse(`it must be made for a POST to ${url}`);
    if (typeof ath !== 'string' || ath === '') throw refuse('it lacks the claim ath');
    return iss;
  }

  async #checkSignatures(proof: WebIdProof, url: string, issuer: string): Promise<string> {
    const keys = await this.#keys.of(issuer);
    const replay = { found: false };
    const isDuplicateJTI = (jti: string): boolean => {
      replay.found = !this.#used.use(jti);
      return replay.found;
    };
    try {
      const { webid } = await verifySolidAccessToken(
        {
          header: proof.authorization,
          // The profile is asked once the signatures are known to be good.
          issuers: () => Promise.resolve([issuer]),
          keySet: () => Promise.resolve(keys),
        },
        { header: proof.dpop, method: 'POST', url, isDuplicateJTI },
      );
      return webid;
    } catch (error) {
      if (replay.found) throw refuse('it was used before');
      if (error instanceof errors.JWTExpired) throw refuse('it has expired');
      throw refuse('the token or the proof is not valid');
    }
  }
}

function decode(token: string): Record<string, unknown> & { iss?: string } {
  try {
    return decodeJwt(token);
  } catch {
    throw refuse('it is not a JSON Web Token');
  }
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

/** Never with a word of what the caller sent. */
function refuse(reason: string): AnalyserError {
  return new AnalyserError('call', `The proof of the WebID does not hold: ${reason}.`);
}
