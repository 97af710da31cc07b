import { malformed } from '../documents/single-value.js';
import { vocabulary as v } from '../vocabulary.js';
import { type Token, turtleTokens } from './turtle-tokens.js';

/** One entry of shared/shared-keys.ttl; each list can be long, since anybody may add to it. */
export interface SealedShare {
  id: string;
  paths: string[];
  keys: string[];
  accessLists: string[];
}

export interface SealedShares {
  /** Entries whose values could be sealed ones. */
  shares: SealedShare[];
  /** Subjects without such values, as many as are worth naming. */
  useless: string[];
  /** Why the document is no valid Turtle, so that shares had to be picked out of it; else null. */
  damage: string | null;
}

/** A value sealed with a key of 1024 to 48,000 bits, in base64. */
const SHORTEST_VALUE = 160;
const LONGEST_VALUE = 8192;
const MOST_USELESS = 1000;
const LONG_STRING = /"""|'''/;

type Field = 'paths' | 'keys' | 'accessLists';

const fields: ReadonlyMap<string, Field> = new Map([
  [v.sharedPath, 'paths'],
  [v.sharedKey, 'keys'],
  [v.sharedAccess, 'accessLists'],
]);

/**
 * The entries of an inbox, even of a broken one: anybody can spoil its syntax, which must not take
 * away what everybody else has written. So this looks for the one form that entries have, wherever
 * it stands, and keeps nothing else.
 */
export function readSealedShares(text: string, url: string): SealedShares {
  const { brokenAt, ...found } = collect(text, url, true);
  if (brokenAt === null) return { ...found, damage: null };
  // What looks like one long string may be two unfinished ones with entries in between.
  const other = LONG_STRING.test(text) ? collect(text, url, false) : found;
  const { shares, useless } = other.shares.length > found.shares.length ? other : found;
  const place = `syntax error on line ${lineOf(text, brokenAt)}`;
  const damage = malformed(url, `it is not a Turtle document (${place})`);
  // A different document, such as the error page of a proxy, must not pass for an empty inbox.
  if (shares.length === 0) throw damage;
  return { shares, useless, damage: damage.message };
}

function collect(
  text: string,
  url: string,
  longStrings: boolean,
): Omit<SealedShares, 'damage'> & { brokenAt: number | null } {
  const found = new Collection(url);
  const syntax = new Syntax();
  let subject: string | null = null;
  let field: Field | undefined;
  // The previous term, which is the subject if a predicate of an entry follows.
  let term: string | null = null;
  for (const token of turtleTokens(text, { longStrings })) {
    syntax.take(token);
    const iri = token.kind === 'iri' ? token.value : null;
    const entryField = iri === null ? undefined : fields.get(iri);
    if (entryField !== undefined) {
      subject = term ?? subject;
      field = entryField;
    } else if (token.kind === 'punctuation' || token.kind === 'odd') {
      const value = token.kind === 'odd' ? '' : token.value;
      if (value !== ',') field = undefined;
      if (value !== ',' && value !== ';') subject = null;
    } else if (subject !== null && field !== undefined) {
      found.add(subject, field, token.kind === 'literal' ? token.value : null);
    }
    term = iri;
  }
  return { ...found.result(), brokenAt: syntax.end(text.length) };
}

class Collection {
  readonly #shares = new Map<string, SealedShare>();
  readonly #useless = new Set<string>();

  constructor(private readonly base: string) {}

  /** `literal` is null for an object that is no literal. */
  add(subject: string, field: Field, literal: string | null): void {
    const id = shareIdOf(subject, this.base);
    if (literal === null || !isSealedValue(literal)) {
      if (this.#useless.size < MOST_USELESS) this.#useless.add(id);
      return;
    }
    const share = this.#shares.get(id) ?? { id, paths: [], keys: [], accessLists: [] };
    // An array that is empty at first makes room for seventeen.
    if (share[field].length === 0) share[field] = [literal];
    else share[field].push(literal);
    this.#shares.set(id, share);
  }

  result(): Omit<SealedShares, 'damage'> {
    const useless = [...this.#useless].filter((id) => !this.#shares.has(id));
    return { shares: [...this.#shares.values()], useless };
  }
}

/** Checks roughly whether the tokens make a document. Brackets are counted, not matched. */
class Syntax {
  #brokenAt: number | null = null;
  #expected: 'subject' | 'predicate' | 'object' | 'end' = 'subject';
  #depth = 0;
  /** A statement may end after a subject in brackets, or after a `;`. */
  #mayEnd = false;

  take(token: Token): void {
    const value = token.kind === 'punctuation' ? token.value : '';
    if (token.kind === 'odd') this.#breakAt(token.at);
    const count = token.kind === 'punctuation' ? token.count : 0;
    if (value === '[' || value === '(') this.#depth += count;
    else if (value === ']' || value === ')') {
      this.#depth -= count;
      if (this.#depth < 0) this.#breakAt(token.at);
      if (this.#depth <= 0) this.#term(token.at, true);
    } else if (this.#depth > 0) return;
    else if (value === '') this.#term(token.at, false);
    else this.#punctuation(value, count, token.at);
  }

  /** Where the syntax first broke; null when it did not. */
  end(at: number): number | null {
    if (this.#depth > 0 || this.#expected !== 'subject') this.#breakAt(at);
    return this.#brokenAt;
  }

  #term(at: number, isInBrackets: boolean): void {
    if (this.#expected === 'end') this.#breakAt(at);
    this.#mayEnd = isInBrackets && this.#expected === 'subject';
    this.#expected =
      this.#expected === 'subject'
        ? 'predicate'
        : this.#expected === 'predicate'
          ? 'object'
          : 'end';
  }

  #punctuation(value: string, count: number, at: number): void {
    const isRight = this.#expected === 'end' || (this.#mayEnd && value !== ',');
    if (!isRight || (count > 1 && value !== ';')) this.#breakAt(at);
    this.#mayEnd = value === ';';
    this.#expected = value === '.' ? 'subject' : value === ';' ? 'predicate' : 'object';
  }

  #breakAt(at: number): void {
    this.#brokenAt ??= at;
    this.#depth = Math.max(0, this.#depth);
  }
}

function isSealedValue(literal: string): boolean {
  return literal.length >= SHORTEST_VALUE && literal.length <= LONGEST_VALUE;
}

function shareIdOf(subject: string, base: string): string {
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(subject);
  const iri = isRelative && URL.canParse(subject, base) ? new URL(subject, base).href : subject;
  return (iri.startsWith(v.resourceId) ? iri.slice(v.resourceId.length) : iri).slice(0, 200);
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) {
    line += 1;
  }
  return line;
}
