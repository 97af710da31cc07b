import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { ServerError } from '../../base/errors.js';
import { requireSuccess } from '../require-success.js';
import type { SolidClient } from '../solid-client.js';

const configuration = z.object({ jwks_uri: z.url({ protocol: /^https?$/ }) });

const LONGEST_CONFIGURATION = 262_144;
/** What the token is at fault for, not the issuer. */
const NO_KEY_FITS = [
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
  errors.JOSENotSupported,
];

/** The keys with which issuers sign their tokens, found through their discovery documents. */
export class IssuerKeys {
  /** Each fetches its keys again after ten minutes, so that withdrawn ones stop counting. */
  readonly #sets = new Map<string, JWTVerifyGetKey>();

  constructor(private readonly client: SolidClient) {}

  /** To be asked for trusted issuers only; rejects with a ServerError without an answer. */
  async of(issuer: string): Promise<JWTVerifyGetKey> {
    const known = this.#sets.get(issuer);
    if (known !== undefined) return known;
    const set = createRemoteJWKSet(await this.#discover(issuer));
    const keys: JWTVerifyGetKey = async (header, token) => {
      try {
        return await set(header, token);
      } catch (cause) {
        if (NO_KEY_FITS.some((kind) => cause instanceof kind)) throw cause;
        // An issuer without an answer must not count as a wrong token.
        const message = `The signing keys of ${issuer} could not be read; is it a Solid server?`;
        throw new ServerError('unavailable', message, { url: issuer, cause });
      }
    };
    this.#sets.set(issuer, keys);
    return keys;
  }

  async #discover(issuer: string): Promise<URL> {
    const url = `${issuer.replace(/\/*$/, '/')}.well-known/openid-configuration`;
    try {
      const answer = await this.client.request(url, {
        headers: { accept: 'application/json' },
        maxBytes: LONGEST_CONFIGURATION,
      });
      const { body } = requireSuccess(answer, 'read');
      return new URL(configuration.parse(JSON.parse(body.toString('utf8'))).jwks_uri);
    } catch (cause) {
      if (cause instanceof ServerError) throw cause;
      const message = `${url} gave no usable answer; is ${issuer} a Solid server?`;
      throw new ServerError('unavailable', message, { url, cause });
    }
  }
}
