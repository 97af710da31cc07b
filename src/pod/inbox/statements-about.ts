import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Quad } from 'n3';
import { parseTurtle } from '../../solid/documents/read-turtle.js';
import type { Triple } from '../../solid/documents/sparql-update.js';
import { vocabulary as v } from '../vocabulary.js';

/** Characters parsed at once; the parser scans a string again that does not end within them. */
const PIECE = 1 << 18;

/**
 * All that an inbox says about some subjects, which a replacement has to remove. Only an inbox
 * that is valid Turtle is changed, so the full parser reads it; other statements are not kept.
 */
export async function statementsAbout(
  turtle: string,
  url: string,
  subjects: readonly string[],
  mostStatements: number,
): Promise<Triple[]> {
  const wanted = new Set(subjects);
  const statements: Triple[] = [];
  const collect = ({ subject, predicate, object }: Quad): void => {
    if (!wanted.has(subject.value)) return;
    statements.push({
      subject: subject.value,
      predicate: predicate.value,
      object: plainObject(object),
    });
  };
  const parsing = parseTurtle(url, collect, mostStatements);
  for (let start = 0; start < turtle.length; start += PIECE) {
    parsing.feed(turtle.slice(start, start + PIECE));
    await nextTurn();
  }
  parsing.end();
  return statements;
}

/** The app writes plain strings; other objects cannot all be spelled in a PATCH. */
function plainObject(object: Quad['object']): Triple['object'] {
  if (object.termType === 'NamedNode') return { link: object.value };
  const isPlain = object.termType === 'Literal' && object.datatype.value === v.string;
  return isPlain ? { literal: object.value } : { any: true };
}
