import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Quad } from 'n3';
import { parseTurtle } from '../../solid/documents/read-turtle.js';
import type { Triple } from '../../solid/documents/sparql-update.js';
import { isAbsent, requireSuccess } from '../../solid/require-success.js';
import type { SolidClient } from '../../solid/solid-client.js';
import { vocabulary as v } from '../vocabulary.js';

export interface InboxLimits {
  maxBytes: number;
  mostStatements: number;
}

/** Generous, so that nobody can push out others by filling the inbox. */
const LARGEST: InboxLimits = { maxBytes: 128 * 1024 * 1024, mostStatements: Infinity };

/** Returns all statements about the subjects; null when there is no document yet. */
export async function readShareStatements(
  client: SolidClient,
  url: string,
  subjects: readonly string[],
  limits = LARGEST,
): Promise<Triple[] | null> {
  const fetched = await fetchSharedKeys(client, url, limits);
  if (fetched === null) return null;
  const text = fetched.body.toString('utf8');
  return await statementsAbout(text, fetched.url, subjects, limits.mostStatements);
}

/** Returns the inbox as it is stored; null when nobody has ever shared anything with the Pod. */
export async function fetchSharedKeys(
  client: SolidClient,
  url: string,
  { maxBytes } = LARGEST,
): Promise<{ body: Buffer; url: string } | null> {
  // Any type: the Community Solid Server hangs when it has to turn broken JSON-LD into Turtle.
  const headers = { accept: '*/*' };
  const answer = await client.request(url, { headers, maxBytes });
  if (isAbsent(answer)) return null;
  return { body: requireSuccess(answer, 'read').body, url: answer.url };
}

/** Characters parsed at once. Not fewer: with each piece the parser scans an unfinished string again from its start. */
const PIECE = 1 << 18;

/**
 * Returns every statement of a document about the given subjects, since a replacement has to remove all of them. Uses
 * the full parser, which throws when the document is not valid Turtle: a broken document is not changed.
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
