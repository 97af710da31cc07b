import { AnalyserError } from '../../base/errors.js';
import type { TurtleDocument } from '../../solid/documents/turtle-document.js';

/**
 * The value of a predicate in a document about one thing, however the subject is spelled. Throws for two different
 * values as well as for no value, like the client app.
 */
export function oneValue(document: TurtleDocument, predicate: string): string {
  const value = oneValueOrNull(document, predicate);
  if (value !== null) return value;
  throw malformed(document.url, `it has no ${shortName(predicate)}`);
}

export function oneValueOrNull(document: TurtleDocument, predicate: string): string | null {
  const values = new Set<string>();
  for (const subject of document.subjects()) {
    for (const value of document.literals(subject, predicate)) values.add(value);
  }
  const [value] = values;
  if (values.size <= 1) return value ?? null;
  const name = shortName(predicate);
  throw malformed(document.url, `it has ${values.size} values for ${name} where one belongs`);
}

export function malformed(url: string, reason: string): AnalyserError {
  return new AnalyserError('malformed', `${url} cannot be used: ${reason}.`);
}

function shortName(predicate: string): string {
  return predicate.slice(predicate.lastIndexOf('#') + 1);
}
