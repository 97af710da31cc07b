import { AnalyserError } from '../../base/errors.js';
import type { TurtleDocument } from '../../solid/turtle-document.js';
import { canonicalResource } from '../resource-address.js';

/**
 * Reads a document about one thing, in which a predicate has one value. The value is read from the document's own
 * subject; only without a value there, from all subjects. The address of the own subject is an old one after the server
 * got another name.
 */
export function singleValues(document: TurtleDocument) {
  const everywhere = [...document.subjects()];
  /** In every spelling. Found only if needed: most documents hold one value, and a stranger's many thousands. */
  let own: readonly string[] | null = null;
  const findOwn = () => {
    const wanted = canonicalResource(document.url);
    return everywhere.filter((subject) => canonicalResource(subject) === wanted);
  };
  const valuesOf = (subjects: readonly string[], predicate: string) =>
    new Set(subjects.flatMap((subject) => document.literals(subject, predicate)));

  /** Throws for two different values, like the client app. */
  const oneOrNull = (predicate: string): string | null => {
    let values = valuesOf(everywhere, predicate);
    if (values.size > 1) {
      own ??= findOwn();
      const ownValues = valuesOf(own, predicate);
      if (ownValues.size > 0) values = ownValues;
    }
    const [value = null, ...more] = values;
    if (more.length === 0) return value;
    const problem = `it has ${values.size} values for ${shortName(predicate)} where one belongs`;
    throw malformed(document.url, problem);
  };
  const one = (predicate: string): string => {
    const value = oneOrNull(predicate);
    if (value !== null) return value;
    throw malformed(document.url, `it has no ${shortName(predicate)}`);
  };
  return { one, oneOrNull };
}

export function malformed(url: string, reason: string): AnalyserError {
  return new AnalyserError('malformed', `${url} cannot be used: ${reason}.`);
}

function shortName(predicate: string): string {
  return predicate.slice(predicate.lastIndexOf('#') + 1);
}
