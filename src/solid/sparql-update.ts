import { AnalyserError } from '../base/errors.js';
import type { Triple, TurtleObject } from './turtle.js';

export interface Changes {
  delete?: readonly Triple[];
  insert?: readonly Triple[];
}

/**
 * One update that removes before it adds; empty without changes. Values are escaped, so they cannot become syntax. A
 * blank node has no name in an update. It is removed with every other object of the same subject and predicate.
 */
export function buildSparqlUpdate({ delete: removed = [], insert = [] }: Changes): string {
  const isBlank = ({ object }: Triple) => 'link' in object && object.link.startsWith('_:');
  const named = removed.filter((triple) => !isBlank(triple));
  const blank = removed
    .filter(isBlank)
    .map(({ subject, predicate }) => `${writeIri(subject)} ${writeIri(predicate)} ?any`);
  return [
    ...(named.length > 0 ? [`DELETE DATA {\n${writeTriples(named)}}`] : []),
    ...Array.from(new Set(blank), (pattern) => `DELETE { ${pattern} } WHERE { ${pattern} }`),
    ...(insert.length > 0 ? [`INSERT DATA {\n${writeTriples(insert)}}`] : []),
  ].join(' ;\n');
}

function writeTriples(triples: readonly Triple[]): string {
  return triples
    .map(
      ({ subject, predicate, object }) =>
        `${writeIri(subject)} ${writeIri(predicate)} ${writeObject(object)} .\n`,
    )
    .join('');
}

export function writeObject(object: TurtleObject): string {
  if ('link' in object) return writeIri(object.link);
  const { literal, type } = object;
  if (type === undefined) return writeLiteral(literal);
  return writeLiteral(literal) + (type.startsWith('@') ? type : `^^${writeIri(type)}`);
}

/** These characters cannot be escaped inside an IRI, so an address that holds one of them is refused. */
const FORBIDDEN_IN_IRI = /[\u0000-\u0020<>"{}|^`\\]|\p{Surrogate}/u;

export function writeIri(iri: string): string {
  if (iri === '' || FORBIDDEN_IN_IRI.test(iri)) {
    const shown = JSON.stringify(iri.slice(0, 300));
    throw new AnalyserError(
      'malformed',
      `${shown} cannot be written as an address in a document: check it for blanks, quotes and brackets.`,
    );
  }
  return `<${iri}>`;
}

const ESCAPES: Record<string, string> = {
  '\\': '\\\\',
  '"': '\\"',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
};

/**
 * SPARQL replaces \uXXXX before it parses, so an escaped backslash before the harmless text `u0022` would become a
 * quotation mark. With the `u` escaped as well, all parsers read the same text.
 */
export function writeLiteral(value: string): string {
  const escaped = value.replace(
    /\\([uU])|[\\"\n\r\t\b\f]|[\u0000-\u001f\u007f]/g,
    (character, afterBackslash?: string) =>
      afterBackslash === undefined
        ? (ESCAPES[character] ?? codePointEscape(character))
        : `\\\\${codePointEscape(afterBackslash)}`,
  );
  return `"${escaped}"`;
}

function codePointEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
