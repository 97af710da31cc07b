import { Parser, type Quad, type Term } from 'n3';
import type { Triple } from '../../../src/solid/turtle.js';

const PLAIN = 'http://www.w3.org/2001/XMLSchema#string';

/** The statements of a Turtle text, read in one go; throws for any other text. */
export function statementsIn(body: Buffer | string, url: string): Triple[] {
  const quads = new Parser({ baseIRI: url, format: 'text/turtle' }).parse(body.toString());
  return quads.map(({ subject, predicate, object }) => ({
    subject: nameOf(subject),
    predicate: predicate.value,
    object: objectOf(object),
  }));
}

function objectOf(object: Quad['object']): Triple['object'] {
  if (object.termType !== 'Literal') return { link: nameOf(object) };
  const { value: literal, language, datatype } = object;
  if (language !== '') return { literal, type: `@${language}` };
  return datatype.value === PLAIN ? { literal } : { literal, type: datatype.value };
}

function nameOf(term: Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}

/** The links or the texts of one subject and predicate. */
export function valuesOf(
  statements: readonly Triple[],
  subject: string,
  predicate: string,
): string[] {
  return statements
    .filter((one) => one.subject === subject && one.predicate === predicate)
    .map(({ object }) => ('link' in object ? object.link : object.literal));
}
