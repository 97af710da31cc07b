import { AnalyserError } from '../../base/errors.js';

export interface Triple {
  subject: string;
  predicate: string;
  /**
   * `any` is only for `delete`. It means every object that is neither a plain string nor an address. A SPARQL update
   * cannot say this, so it removes every object of the same subject and predicate.
   */
  object: { literal: string } | { link: string } | { any: true };
}

export interface Changes {
  delete?: readonly Triple[];
  insert?: readonly Triple[];
}

/** One update that removes before it adds. Values are escaped, so they cannot become syntax. */
export function buildSparqlUpdate(changes: Changes): string {
  const operations: string[] = [];
  const named = changes.delete?.filter(({ object }) => !('any' in object)) ?? [];
  const unnamed = changes.delete?.filter(({ object }) => 'any' in object) ?? [];
  if (named.length > 0) operations.push(`DELETE DATA {\n${writeTriples(named)}}`);
  for (const pattern of new Set(unnamed.map(writeTriple))) {
    operations.push(`DELETE { ${pattern} } WHERE { ${pattern} }`);
  }
  if (changes.insert?.length) operations.push(`INSERT DATA {\n${writeTriples(changes.insert)}}`);
  return operations.join(' ;\n');
}

export function writeTriples(triples: readonly Triple[]): string {
  return triples.map((triple) => `${writeTriple(triple)} .\n`).join('');
}

function writeTriple({ subject, predicate, object }: Triple): string {
  return `${writeIri(subject)} ${writeIri(predicate)} ${writeObject(object)}`;
}

export function writeObject(object: Triple['object']): string {
  if ('any' in object) return '?any';
  return 'link' in object ? writeIri(object.link) : writeLiteral(object.literal);
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
