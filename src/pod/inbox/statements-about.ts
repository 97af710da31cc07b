import { EventEmitter } from 'node:events';
import { Parser, type Quad } from 'n3';
import { type AnalyserError, messageOf } from '../../base/errors.js';
import type { Triple } from '../../solid/documents/sparql-update.js';
import { malformed } from '../documents/facts.js';
import { vocabulary as v } from '../vocabulary.js';

/** The parser keeps a record for every open bracket: an inbox full of them would take 25 GB. */
const MOST_BRACKETS = 100_000;
/** Characters that the parser is given at once; it looks again at a string that does not end in them. */
const PIECE = 4 << 20;

/**
 * All that an inbox says about some subjects, of use or not: what has to go to replace them. It is
 * changed only where it is Turtle, so the full parser reads it; only what is asked for is kept.
 */
export function statementsAbout(
  turtle: string,
  url: string,
  subjects: readonly string[],
): Triple[] {
  const wanted = new Set(subjects);
  const statements: Triple[] = [];
  parse(turtle, url, ({ subject, predicate, object }) => {
    if (!wanted.has(subject.value)) return;
    statements.push({
      subject: subject.value,
      predicate: predicate.value,
      object: plainObject(object),
    });
  });
  return statements;
}

/** What the app writes is a plain string; what it never writes cannot all be spelled in a change. */
function plainObject(object: Quad['object']): Triple['object'] {
  if (object.termType === 'NamedNode') return { link: object.value };
  const isPlain = object.termType === 'Literal' && object.datatype.value === v.string;
  return isPlain ? { literal: object.value } : { any: true };
}

/**
 * Fed piece by piece, because a parser that is given the whole goes on by itself, where what it
 * throws (a prefix without an address makes it) reaches nobody and ends the process.
 */
function parse(turtle: string, url: string, visit: (quad: Quad) => void): void {
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
