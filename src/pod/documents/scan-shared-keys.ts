import { Parser, type Quad } from 'n3';
import { type AnalyserError, messageOf } from '../../base/errors.js';
import type { Triple } from '../../solid/sparql-update.js';
import { vocabulary as v } from '../vocabulary.js';
import { malformed } from './facts.js';

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
}

/** A value sealed with a key of 1024 to 48,000 bits, in base64. */
const SHORTEST_VALUE = 160;
const LONGEST_VALUE = 8192;
const MOST_USELESS = 1000;

export async function scanShares(turtle: string, url: string): Promise<ScannedInbox> {
  const shares = new Map<string, SealedShare>();
  const useless = new Set<string>();
  await scan(turtle, url, ({ subject, predicate, object }) => {
    const field = fieldOf(predicate.value);
    if (field === null) return;
    const id = shareIdOf(subject.value);
    const { length } = object.value;
    if (object.termType !== 'Literal' || length < SHORTEST_VALUE || length > LONGEST_VALUE) {
      if (useless.size < MOST_USELESS) useless.add(id);
      return;
    }
    const share = shares.get(id) ?? { id, paths: [], keys: [], accessLists: [] };
    share[field].push(object.value);
    shares.set(id, share);
  });
  return { shares: [...shares.values()], useless: [...useless].filter((id) => !shares.has(id)) };
}

/** All that is said about some subjects, of use or not: what has to go to replace them. */
export async function scanStatements(
  turtle: string,
  url: string,
  subjects: readonly string[],
): Promise<Triple[]> {
  const wanted = new Set(subjects);
  const statements: Triple[] = [];
  await scan(turtle, url, ({ subject, predicate, object }) => {
    if (!wanted.has(subject.value)) return;
    statements.push({
      subject: subject.value,
      predicate: predicate.value,
      object: object.termType === 'Literal' ? { literal: object.value } : { link: object.value },
    });
  });
  return statements;
}

function fieldOf(predicate: string): 'paths' | 'keys' | 'accessLists' | null {
  if (predicate === v.sharedPath) return 'paths';
  if (predicate === v.sharedKey) return 'keys';
  return predicate === v.sharedAccess ? 'accessLists' : null;
}

function shareIdOf(subject: string): string {
  const id = subject.startsWith(v.resourceId) ? subject.slice(v.resourceId.length) : subject;
  return id.slice(0, 200);
}

function scan(turtle: string, url: string, visit: (quad: Quad) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (error: Error | null, quad: Quad | null) => {
      if (error) reject(notTurtle(url, error));
      else if (quad) visit(quad);
      else resolve();
    };
    new Parser({ baseIRI: url, format: 'text/turtle' }).parse(turtle, take);
  });
}

/** The parser quotes what it stumbled over; only the place is told. */
function notTurtle(url: string, error: Error): AnalyserError {
  const where = /on line \d+/.exec(messageOf(error))?.[0];
  return malformed(url, `it is not a Turtle document${where ? ` (syntax error ${where})` : ''}`);
}
