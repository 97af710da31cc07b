import { AnalyserError } from '../../base/errors.js';
import type { TurtleDocument } from '../../solid/documents/turtle-document.js';
import { canonicalResource } from '../resource-address.js';

/** Reads a document about one thing, in which a predicate has one value. */
interface SingleValues {
  /** Throws for two different values as well as for no value, like the client app. */
  one: (predicate: string) => string;
  oneOrNull: (predicate: string) => string | null;
}

/**
 * A value is read from the document's own subject; only without a value there, from all subjects. The address of the
 * own subject is an old one after the server got another name.
 */
export function singleValues(document: TurtleDocument): SingleValues {
  let own: Set<string> | null = null;
  const isOwn = (subject: string) => {
    // Once for the document, and only if needed: most documents hold one value, and a stranger's many thousands.
    own ??= ownSubjects(document);
    return own.has(subject);
  };
  const oneOrNull = (predicate: string) => {
    const everywhere = valuesOf(document, predicate, () => true);
    const onOwn = everywhere.size > 1 ? valuesOf(document, predicate, isOwn) : everywhere;
    const values = onOwn.size > 0 ? onOwn : everywhere;
    const [value] = values;
    if (values.size <= 1) return value ?? null;
    const name = shortName(predicate);
    throw malformed(document.url, `it has ${values.size} values for ${name} where one belongs`);
  };
  const one = (predicate: string) => {
    const value = oneOrNull(predicate);
    if (value !== null) return value;
    throw malformed(document.url, `it has no ${shortName(predicate)}`);
  };
  return { one, oneOrNull };
}

function valuesOf(
  document: TurtleDocument,
  predicate: string,
  isChosen: (subject: string) => boolean,
): Set<string> {
  const values = new Set<string>();
  for (const subject of document.subjects()) {
    const found = document.literals(subject, predicate);
    if (found.length > 0 && isChosen(subject)) for (const value of found) values.add(value);
  }
  return values;
}

/** The document itself, in every spelling. The fast parser leaves addresses relative. */
function ownSubjects(document: TurtleDocument): Set<string> {
  const { url } = document;
  const own = canonicalResource(url);
  const isOwn = (subject: string) =>
    URL.canParse(subject, url) && canonicalResource(new URL(subject, url).href) === own;
  return new Set(own === null ? [] : [...document.subjects()].filter(isOwn));
}

export function malformed(url: string, reason: string): AnalyserError {
  return new AnalyserError('malformed', `${url} cannot be used: ${reason}.`);
}

function shortName(predicate: string): string {
  return predicate.slice(predicate.lastIndexOf('#') + 1);
}
