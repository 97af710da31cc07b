import { createRemoteJWKSet } from 'jose';
import { z } from 'zod';
import { ServerError } from '../../base/errors.js';
import { requireSuccess } from '../require-success.js';
import type { SolidClient } from '../solid-client.js';

type KeySet = ReturnType<typeof createRemoteJWKSet>;

const configuration = z.object({ jwks_uri: z.url({ protocol: /^https?$/ }) });

const LONGEST_CONFIGURATION = 262_144;
/** How long keys are used before they are fetched again, so that withdrawn ones stop counting. */
const FRESH_MS = 10 * 60_000;

/** The keys with which issuers sign their tokens, found through their discovery documents. */
export class IssuerKeys {
  /** Requests in flight, one for all who wait for the same keys. */
  readonly #loading = new Map<string, Promise<KeySet>>();
  readonly #sets = new Map<string, { keys: KeySet; loadedAt: number }>();

  constructor(
    private readonly client: SolidClient,
    private readonly now: () => number,
  ) {}

  /** To be asked for trusted issuers only; rejects with a ServerError without an answer. */
  async of(issuer: string): Promise<KeySet> {
    const known = this.#sets.get(issuer);
    if (known !== undefined && this.now() - known.loadedAt < FRESH_MS) return known.keys;
    const loading =
      this.#loading.get(issuer) ??
      this.#load(issuer, known?.keys).finally(() => this.#loading.delete(issuer));
    this.#loading.set(issuer, loading);
    return await loading;
  }

  async #load(issuer: string, known: KeySet | undefined): Promise<KeySet> {
    const loadedAt = this.now();
    // The age is checked here, so that an unreachable issuer does not count as a wrong token.
    const keys =
      known ?? createRemoteJWKSet(await this.#discover(issuer), { cacheMaxAge: Infinity });
    try {
      await keys.reload();
    } catch (cause) {
      const message = `The signing keys of ${issuer} could not be read; is it a Solid server?`;
      throw new ServerError('unavailable', message, { url: issuer, cause });
    }
    this.#sets.set(issuer, { keys, loadedAt });
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
