import { isUnanswered } from '../../base/errors.js';
import { getTurtle } from '../documents/get-turtle.js';
import type { SolidClient } from '../solid-client.js';

const OIDC_ISSUER = 'http://www.w3.org/ns/solid/terms#oidcIssuer';
const LONGEST_PROFILE = 1_048_576;
const FRESH_MS = 10 * 60_000;
const MOST_REMEMBERED = 10_000;

/** Finds out which issuer a WebID trusts, from its profile. */
export class WebIdProfiles {
  /** WebID and issuer, to when the finding expires. */
  readonly #confirmed = new Map<string, number>();

  constructor(
    private readonly client: SolidClient,
    private readonly now: () => number,
  ) {}

  /** Whether the profile names the issuer; rejects with a ServerError without an answer. */
  async names(webId: string, issuer: string): Promise<boolean> {
    const id = JSON.stringify([webId, issuer]);
    if ((this.#confirmed.get(id) ?? 0) > this.now()) return true;
    if (!(await this.#lookUp(webId)).includes(issuer)) return false;
    this.#confirmed.delete(id);
    this.#confirmed.set(id, this.now() + FRESH_MS);
    const [oldest] = this.#confirmed.keys();
    if (this.#confirmed.size > MOST_REMEMBERED && oldest !== undefined) {
      this.#confirmed.delete(oldest);
    }
    return true;
  }

  async #lookUp(webId: string): Promise<readonly string[]> {
    try {
      const profile = await getTurtle(this.client, webId, { maxBytes: LONGEST_PROFILE });
      return profile?.links(webId, OIDC_ISSUER) ?? [];
    } catch (error) {
      if (isUnanswered(error)) throw error;
      return [];
    }
  }
}
