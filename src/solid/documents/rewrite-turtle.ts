import { type Quad, Writer } from 'n3';
import { parseTurtle } from './read-turtle.js';
import { type Changes, type Triple, writeTriples } from './sparql-update.js';

const PLAIN = 'http://www.w3.org/2001/XMLSchema#string';
const MOST_STATEMENTS = 100_000;

/** Returns the text of the whole document after the changes, for servers that take no PATCH. */
export function rewriteTurtle(text: string, url: string, changes: Changes): string {
  const { delete: removed = [], insert: added = [] } = changes;
  const kept: Quad[] = [];
  const parsing = parseTurtle(
    url,
    (quad) => {
      if (![...removed, ...added].some((triple) => says(quad, triple))) kept.push(quad);
    },
    MOST_STATEMENTS,
  );
  parsing.feed(text);
  parsing.end();
  return `${new Writer({ format: 'text/turtle' }).quadsToString(kept)}${writeTriples(added)}`;
}

function says({ subject, predicate, object }: Quad, triple: Triple): boolean {
  if (subject.value !== triple.subject || predicate.value !== triple.predicate) return false;
  const isPlain = object.termType === 'Literal' && object.datatype.value === PLAIN;
  if ('any' in triple.object) return !isPlain && object.termType !== 'NamedNode';
  if ('link' in triple.object) {
    return object.termType === 'NamedNode' && object.value === triple.object.link;
  }
  return isPlain && object.value === triple.object.literal;
}
