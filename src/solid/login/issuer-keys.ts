import { createLocalJWKSet, decodeProtectedHeader, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { ServerError } from '../../base/errors.js';
import { requireSuccess } from '../require-success.js';
import type { SolidClient } from '../solid-client.js';
import { SharedAnswers } from './shared-answers.js';

const configuration = z.object({ jwks_uri: z.url({ protocol: /^https?$/ }) });
const keySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(100),
});

const LONGEST_DOCUMENT = 262_144;
/** Withdrawn keys stop counting after this. */
const FRESH_MS = 10 * 60_000;
/** A token of a key that is not known yet has them fetched again, but no sooner than this. */
const AGAIN_MS = 30_000;

interface Keys {
  find: JWTVerifyGetKey;
  ids: ReadonlySet<unknown>;
  fetchedAt: number;
}

/** The keys with which issuers sign their tokens, found through their discovery documents. */
export class IssuerKeys {
  readonly #keys: SharedAnswers<Keys>;

  constructor(
    private readonly client: SolidClient,
    private readonly now: () => number,
  ) {
    this.#keys = new SharedAnswers({ freshMs: () => FRESH_MS, waitingForOne: 20, now });
  }

  /** To be asked for trusted issuers only; rejects with a ServerError without an answer. */
  async of(issuer: string, token: string): Promise<JWTVerifyGetKey> {
    const fetchKeys = () => this.#fetch(issuer);
    const keys = await this.#keys.get(issuer, fetchKeys);
    if (keys.ids.has(keyId(token)) || this.now() - keys.fetchedAt < AGAIN_MS) return keys.find;
    this.#keys.forget(issuer);
    return (await this.#keys.get(issuer, fetchKeys)).find;
  }

  async #fetch(issuer: string): Promise<Keys> {
    const url = `${issuer.replace(/\/*$/, '/')}.well-known/openid-configuration`;
    try {
      const { jwks_uri } = configuration.parse(await this.#getJson(url));
      const { keys } = keySet.parse(await this.#getJson(jwks_uri));
      return {
        find: createLocalJWKSet({ keys }),
        ids: new Set(keys.map((key) => key['kid'])),
        fetchedAt: this.now(),
      };
    } catch (cause) {
      if (cause instanceof ServerError) throw cause;
      const message = `The signing keys of ${issuer} could not be read; is it a Solid server?`;
      throw new ServerError('unavailable', message, { url, cause });
    }
  }

  async #getJson(url: string): Promise<unknown> {
    const headers = { accept: 'application/json' };
    const answer = await this.client.request(url, { headers, maxBytes: LONGEST_DOCUMENT });
    return JSON.parse(requireSuccess(answer, 'read').body.toString('utf8'));
  }
}

function keyId(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}
