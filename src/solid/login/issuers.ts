import { createLocalJWKSet, decodeProtectedHeader, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { AnalyserError, isUnanswered, ServerError } from '../../base/errors.js';
import { readIssuers, requireSuccess } from '../documents.js';
import type { SolidClient } from '../solid-client.js';

const configuration = z.object({ jwks_uri: z.url({ protocol: /^https?$/ }) });
const keySet = z.object({
  keys: z.array(z.looseObject({ kty: z.string() })).max(100),
});

/** Small, because documents are parsed in the thread that answers calls. */
const LONGEST_DOCUMENT = 262_144;
/** After this time a withdrawn key stops counting, and so does an issuer that a profile no longer names. */
const FRESH_MS = 10 * 60_000;
/** For a token with an unknown key the keys are fetched again, at the earliest after this time. */
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
    this.#keys = new SharedAnswers(20, now);
  }

  /** For trusted issuers only; rejects with a ServerError when there is no answer. */
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

export class WebIdProfiles {
  readonly #named: SharedAnswers<void>;

  constructor(
    private readonly client: SolidClient,
    now: () => number,
  ) {
    this.#named = new SharedAnswers(4, now);
  }

  /** Rejects unless the profile names the issuer; with a ServerError when there is no answer. */
  requireNamed(webId: string, issuer: string): Promise<void> {
    const wanted = withoutSlash(issuer);
    return this.#named.get(`${webId} and ${wanted}`, async () => {
      const options = { maxBytes: LONGEST_DOCUMENT };
      const named = await readIssuers(this.client, webId, options).catch((error: unknown) => {
        if (isUnanswered(error)) throw error;
        return [];
      });
      if (named.map(withoutSlash).includes(wanted)) return;
      throw unproved(
        `the profile of the WebID cannot be read, or names another solid:oidcIssuer than ${issuer}`,
      );
    });
  }
}

export function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

interface Answer<T> {
  outcome: Promise<T>;
  /** The outcome is valid until this time, in milliseconds since 1970; Infinity while it is awaited. */
  until: number;
  waiting: number;
}

/** For how long a failed question is not asked again: nobody keeps the service busy with it, and what was mended counts soon. */
const FAILURE_MS = 5_000;
const WAITING_FOR_ALL = 40;
const MOST_REMEMBERED = 10_000;

/** Asks once for all, and keeps even a failure. Few may wait for one answer, so a slow one holds up nobody else. */
class SharedAnswers<T> {
  readonly #answers = new Map<string, Answer<T>>();
  #waiting = 0;

  constructor(
    private readonly mostWaiting: number,
    private readonly now: () => number,
  ) {}

  async get(about: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#known(about);
    if (known !== undefined && known.until < Infinity) return await known.outcome;
    const waiting = known?.waiting ?? 0;
    if (waiting >= this.mostWaiting || this.#waiting >= WAITING_FOR_ALL) {
      throw tooMany(about);
    }
    const answer = known ?? this.#ask(about, ask);
    answer.waiting += 1;
    this.#waiting += 1;
    try {
      return await answer.outcome;
    } finally {
      answer.waiting -= 1;
      this.#waiting -= 1;
    }
  }

  /** The next question gets a fresh answer, or the answer that is awaited now. */
  forget(about: string): void {
    if (this.#known(about)?.until !== Infinity) this.#answers.delete(about);
  }

  #known(about: string): Answer<T> | undefined {
    const known = this.#answers.get(about);
    return known !== undefined && known.until > this.now() ? known : undefined;
  }

  #ask(about: string, ask: () => Promise<T>): Answer<T> {
    const answer: Answer<T> = { outcome: ask(), until: Infinity, waiting: 0 };
    this.#answers.delete(about);
    this.#answers.set(about, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_REMEMBERED && oldest !== undefined) this.#answers.delete(oldest);
    const validFor = (milliseconds: number) => () => {
      answer.until = this.now() + milliseconds;
    };
    answer.outcome.then(validFor(FRESH_MS), validFor(FAILURE_MS));
    return answer;
  }
}

function tooMany(about: string): ServerError {
  const message = `Too many calls wait for an answer about ${about} already; try again later.`;
  return new ServerError('unavailable', message, { url: about });
}

/** Of a proof that does not hold. The reason never quotes what the caller sent. */
export function unproved(reason: string): AnalyserError {
  return new AnalyserError('call', `The proof of the WebID does not hold: ${reason}.`);
}
