import { createLocalJWKSet, decodeProtectedHeader, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { isUnanswered, ServerError } from '../../base/errors.js';
import { readIssuers } from '../documents/profile-issuers.js';
import { requireSuccess } from '../require-success.js';
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
    this.#keys = new SharedAnswers({ freshMs: () => FRESH_MS, waitingForOne: 20, now });
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

/** Short, so that a profile that was just corrected counts soon. */
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

  /** Whether the profile names the issuer; rejects with a ServerError when there is no answer. */
  names(webId: string, issuer: string): Promise<boolean> {
    const wanted = withoutSlash(issuer);
    const lookUp = async () => (await this.#lookUp(webId)).map(withoutSlash).includes(wanted);
    return this.#named.get(webId, lookUp, JSON.stringify([webId, wanted]));
  }

  async #lookUp(webId: string): Promise<readonly string[]> {
    try {
      return await readIssuers(this.client, webId, { maxBytes: LONGEST_DOCUMENT });
    } catch (error) {
      if (isUnanswered(error)) throw error;
      return [];
    }
  }
}

/** An issuer with a slash at the end of its address and one without are the same. */
export function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}

interface Answer<T> {
  outcome: Promise<T>;
  /** The outcome is valid until this time, in milliseconds since 1970; Infinity while it is awaited. */
  until: number;
  waiting: number;
}

interface SharedAnswersOptions<T> {
  /** How long an answer stays valid. */
  freshMs: (answer: T) => number;
  /** How many may wait for one answer. */
  waitingForOne: number;
  now: () => number;
}

/** For how long a failed question is not asked again, so that nobody keeps the service busy with it. */
const FAILURE_MS = 5_000;
const WAITING_FOR_ALL = 40;
const MOST_REMEMBERED = 10_000;

/**
 * Asks each question once for everybody, and remembers the answer, even a failure. Only a few callers may wait for
 * one answer. Further callers are refused, so that a slow answer holds up nobody else.
 */
class SharedAnswers<T> {
  readonly #answers = new Map<string, Answer<T>>();
  #waiting = 0;

  constructor(private readonly options: SharedAnswersOptions<T>) {}

  /** `url` stands in messages; answers are shared by `id`. */
  async get(url: string, ask: () => Promise<T>, id = url): Promise<T> {
    const known = this.#known(id);
    if (known !== undefined && known.until < Infinity) return await known.outcome;
    const waiting = known?.waiting ?? 0;
    if (waiting >= this.options.waitingForOne || this.#waiting >= WAITING_FOR_ALL) {
      throw tooMany(url);
    }
    const answer = known ?? this.#ask(ask, id);
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
  forget(id: string): void {
    if (this.#known(id)?.until !== Infinity) this.#answers.delete(id);
  }

  #known(id: string): Answer<T> | undefined {
    const known = this.#answers.get(id);
    return known !== undefined && known.until > this.options.now() ? known : undefined;
  }

  #ask(ask: () => Promise<T>, id: string): Answer<T> {
    const { freshMs, now } = this.options;
    const answer: Answer<T> = { outcome: ask(), until: Infinity, waiting: 0 };
    this.#answers.delete(id);
    this.#answers.set(id, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST_REMEMBERED && oldest !== undefined) this.#answers.delete(oldest);
    answer.outcome.then(
      (value) => {
        answer.until = now() + freshMs(value);
      },
      () => {
        answer.until = now() + FAILURE_MS;
      },
    );
    return answer;
  }
}

function tooMany(url: string): ServerError {
  const message = `Too many calls wait for an answer about ${url} already; try again later.`;
  return new ServerError('unavailable', message, { url });
}
