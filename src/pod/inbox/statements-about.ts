import type { Quad } from 'n3';
import { parseTurtle } from '../../solid/documents/read-turtle.js';
import type { Triple } from '../../solid/documents/sparql-update.js';
import { vocabulary as v } from '../vocabulary.js';

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
  const parsing = parseTurtle(url, ({ subject, predicate, object }) => {
    if (!wanted.has(subject.value)) return;
    statements.push({
      subject: subject.value,
      predicate: predicate.value,
      object: plainObject(object),
    });
  });
  for (let start = 0; start < turtle.length; start += PIECE) {
    parsing.feed(turtle.slice(start, start + PIECE));
  }
  parsing.end();
  return statements;
}

/** What the app writes is a plain string; what it never writes cannot all be spelled in a change. */
function plainObject(object: Quad['object']): Triple['object'] {
  if (object.termType === 'NamedNode') return { link: object.value };
  const isPlain = object.termType === 'Literal' && object.datatype.value === v.string;
  return isPlain ? { literal: object.value } : { any: true };
}
