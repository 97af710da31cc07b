import type { Triple } from '../../solid/sparql-update.js';
import { vocabulary as v } from '../vocabulary.js';
import { text } from './write-turtle.js';

/**
 * Share entries out of an inbox that is no longer Turtle. Anybody can break the document's
 * syntax at any place, and that must not take away what everybody else has written there. So
 * this looks only for the one form that entries have, and steps over whatever lies between;
 * it takes time in proportion to the text, and nothing nests.
 */
export function* salvageShares(turtle: string): Generator<Triple> {
  const prefixes = new Map<string, string>();
  let subject: string | null = null;
  let predicate: string | null = null;
  // The term right before this token: a subject, if a predicate of an entry follows.
  let term: string | null = null;
  for (const [token, address, literal, defined, namespace, prefix, name] of turtle.matchAll(
    TOKEN,
  )) {
    if (defined !== undefined && namespace !== undefined) prefixes.set(defined, namespace);
    const iri: string | null = address ?? expand(prefixes, prefix, name);
    if (iri !== null && ENTRY_PREDICATES.has(iri)) {
      subject = term ?? subject;
      predicate = iri;
    } else if (literal !== undefined && subject !== null && predicate !== null) {
      yield text(subject, predicate, literal);
    } else if (token !== ',') {
      predicate = null;
      if (token !== ';') subject = null;
    }
    term = iri;
  }
}

const ENTRY_PREDICATES: ReadonlySet<string> = new Set([v.sharedPath, v.sharedKey, v.sharedAccess]);

/** No alternative looks at a stretch of text that a later one has to look at again and again. */
const TOKEN =
  /<([^<>"{}|^`\\\s]*)>|"([^"\\\r\n]*)"|@prefix\s+([\w-]*):\s*<([^<>"\s]*)>\s*\.|((?:[A-Za-z][\w-]*)?):([\w-]*)|[\w-]+|\S/g;

function expand(
  prefixes: ReadonlyMap<string, string>,
  prefix: string | undefined,
  name = '',
): string | null {
  const namespace = prefix === undefined ? undefined : prefixes.get(prefix);
  return namespace === undefined ? null : `${namespace}${name}`;
}
