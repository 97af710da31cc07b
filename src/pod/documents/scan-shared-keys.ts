import { EventEmitter } from 'node:events';
import { Parser, type Quad } from 'n3';
import { type AnalyserError, messageOf } from '../../base/errors.js';
import type { Triple } from '../../solid/sparql-update.js';
import { vocabulary as v } from '../vocabulary.js';
import { malformed } from './facts.js';
import { salvageShares } from './salvage-shares.js';
import { scanUsualInbox } from './scan-usual-inbox.js';

/**
 * shared/shared-keys.ttl as it stands. Anybody may add to it, and without end, so it is never
 * held as a document: while it is parsed, only what is asked for is kept.
 */
export interface SealedShare {
  id: string;
  paths: string[];
  keys: string[];
  accessLists: string[];
}

export interface ScannedInbox {
  /** What could be opened. */
  shares: SealedShare[];
  /** Subjects that carry nothing of the kind, as many as are worth naming. */
  useless: string[];
  /** What is wrong with the document as a whole, if the shares had to be picked out of it. */
  damage: string | null;
}

/** A value sealed with a key of 1024 to 48,000 bits, in base64. */
const SHORTEST_VALUE = 160;
const LONGEST_VALUE = 8192;
export const MOST_USELESS = 1000;
/** The parser keeps a record for every open bracket: an inbox full of them would take 25 GB. */
const MOST_BRACKETS = 100_000;
/** Characters that the parser is given at once. */
const PIECE = 65_536;

export function scanShares(turtle: string, url: string): ScannedInbox {
  try {
    const collection = new ShareCollection();
    scan(turtle, url, ({ subject, predicate, object }) =>
      collection.add(
        subject.value,
        predicate.value,
        object.termType === 'Literal' ? object.value : null,
      ),
    );
    return collection.result(null);
  } catch (error) {
    const collection = new ShareCollection();
    for (const { subject, predicate, object } of salvageShares(turtle)) {
      collection.add(subject, predicate, 'literal' in object ? object.literal : null);
    }
    // Something else altogether, such as a page of a proxy, is no inbox without shares.
    if (collection.isEmpty) throw error;
    return collection.result(messageOf(error));
  }
}

/** Puts together what is said about shares. */
export class ShareCollection {
  readonly #shares = new Map<string, SealedShare>();
  readonly #useless = new Set<string>();

  /** `literal` is null for an object of another kind. */
  add(subject: string, predicate: string, literal: string | null): void {
    const field = fieldOf(predicate);
    if (field === null) return;
    const id = shareIdOf(subject);
    if (literal === null || !isSealedValue(literal)) {
      if (this.#useless.size < MOST_USELESS) this.#useless.add(id);
      return;
    }
    const share = this.#shares.get(id) ?? { id, paths: [], keys: [], accessLists: [] };
    share[field].push(literal);
    this.#shares.set(id, share);
  }

  get isEmpty(): boolean {
    return this.#shares.size === 0;
  }

  result(damage: string | null): ScannedInbox {
    const useless = [...this.#useless].filter((id) => !this.#shares.has(id));
    return { shares: [...this.#shares.values()], useless, damage };
  }
}

/** All that is said about some subjects, of use or not: what has to go to replace them. */
export function scanStatements(turtle: string, url: string, subjects: readonly string[]): Triple[] {
  const wanted = new Set(subjects);
  const statements: Triple[] = [];
  scan(turtle, url, ({ subject, predicate, object }) => {
    if (!wanted.has(subject.value)) return;
    statements.push({
      subject: subject.value,
      predicate: predicate.value,
      object: plainObject(object),
    });
  });
  return statements;
}

/** The same for the layout that inboxes have; null for every other one. */
export async function scanUsualStatements(
  body: Buffer,
  url: string,
  subjects: readonly string[],
  signal?: AbortSignal,
): Promise<Triple[] | null> {
  const wanted = new Set(subjects);
  const statements: Triple[] = [];
  const isUsual = await scanUsualInbox(
    body,
    url,
    ({ subject, statements: found }) => {
      if (!wanted.has(subject)) return;
      for (const [predicate, object] of found) statements.push({ subject, predicate, object });
    },
    signal,
  );
  return isUsual ? statements : null;
}

/** What the app writes is a plain string; what it never writes cannot all be spelled in a change. */
function plainObject(object: Quad['object']): Triple['object'] {
  if (object.termType === 'NamedNode') return { link: object.value };
  const isPlain = object.termType === 'Literal' && object.datatype.value === v.string;
  return isPlain ? { literal: object.value } : { any: true };
}

export function isSealedValue(literal: string): boolean {
  return literal.length >= SHORTEST_VALUE && literal.length <= LONGEST_VALUE;
}

export function fieldOf(predicate: string): 'paths' | 'keys' | 'accessLists' | null {
  if (predicate === v.sharedPath) return 'paths';
  if (predicate === v.sharedKey) return 'keys';
  return predicate === v.sharedAccess ? 'accessLists' : null;
}

export function shareIdOf(subject: string): string {
  const id = subject.startsWith(v.resourceId) ? subject.slice(v.resourceId.length) : subject;
  return id.slice(0, 200);
}

/**
 * Fed piece by piece, because a parser that is given the whole goes on by itself, where what it
 * throws (a prefix without an address makes it) reaches nobody and ends the process.
 */
function scan(turtle: string, url: string, visit: (quad: Quad) => void): void {
  if (hasTooManyBrackets(turtle)) throw malformed(url, 'it nests without end');
  if (turtle === '') return;
  const source = new EventEmitter();
  const state = { ended: false };
  const take = (error: Error | null, quad: Quad | null) => {
    if (error) throw error;
    if (quad) visit(quad);
    else state.ended = true;
  };
  try {
    new Parser({ baseIRI: url, format: 'text/turtle' }).parse(source, take);
    for (let start = 0; start < turtle.length; start += PIECE) {
      source.emit('data', turtle.slice(start, start + PIECE));
    }
    source.emit('end');
  } catch (error) {
    throw notTurtle(url, error);
  }
  if (!state.ended) throw notTurtle(url, null);
}

function hasTooManyBrackets(turtle: string): boolean {
  const brackets = turtle.matchAll(/[([]/g);
  for (let count = 0; count <= MOST_BRACKETS; count += 1) {
    if (brackets.next().done === true) return false;
  }
  return true;
}

/** The parser quotes what it stumbled over; only the place is told. */
function notTurtle(url: string, error: unknown): AnalyserError {
  const where = /on line \d+/.exec(messageOf(error))?.[0];
  return malformed(url, `it is not a Turtle document${where ? ` (syntax error ${where})` : ''}`);
}
