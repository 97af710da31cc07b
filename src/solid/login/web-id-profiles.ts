import { isUnanswered } from '../../base/errors.js';
import { readIssuers } from '../documents/profile-issuers.js';
import type { SolidClient } from '../solid-client.js';
import { SharedAnswers } from './shared-answers.js';

/** It is parsed in the thread that answers calls. */
const LONGEST_PROFILE = 262_144;
const FRESH_MS = 10 * 60_000;
/** A profile that was just corrected counts soon. */
const FRESH_WHEN_NOT_NAMED_MS = 5_000;

/** Finds out which issuer a WebID trusts, from its profile. */
export class WebIdProfiles {
  readonly #named: SharedAnswers<boolean>;

  constructor(
    private readonly client: SolidClient,
    now: () => number,
  ) {
    const freshMs = (isNamed: boolean) => (isNamed ? FRESH_MS : FRESH_WHEN_NOT_NAMED_MS);
    this.#named = new SharedAnswers({ freshMs, waitingForOne: 4, now });
  }

  /** Whether the profile names the issuer; rejects with a ServerError without an answer. */
  names(webId: string, issuer: string): Promise<boolean> {
    const lookUp = async () => (await this.#lookUp(webId)).includes(issuer);
    return this.#named.get(webId, lookUp, JSON.stringify([webId, issuer]));
  }

  async #lookUp(webId: string): Promise<readonly string[]> {
    try {
      return await readIssuers(this.client, webId, { maxBytes: LONGEST_PROFILE });
    } catch (error) {
      if (isUnanswered(error)) throw error;
      return [];
    }
  }
}
