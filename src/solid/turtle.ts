import { EventEmitter } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as letOthersWork } from 'node:timers/promises';
import { type Literal, Parser, type Quad, type Term } from 'n3';
import { ConcurrencyLimit } from '../base/concurrency.js';
import { AnalyserError, messageOf } from '../base/errors.js';
import { getOrAdd } from '../base/lists.js';
import { isSpared, takeApart } from './in-hand.js';
import { judgeTokens, LONGEST_NAME, type Token } from './turtle-tokens.js';

/** `type` is the datatype of a literal that is no plain string, or its language after an `@`. */
export type TurtleObject = { literal: string; type?: string } | { link: string };

/** Addresses are absolute, and blank nodes are named `_:…`. */
export interface Triple {
  subject: string;
  predicate: string;
  object: TurtleObject;
}

export class TurtleDocument {
  readonly #objects = new Map<string, Map<string, TurtleObject[]>>();

  constructor(readonly url: string) {}

  add({ subject, predicate, object }: Triple): void {
    const predicates = getOrAdd(this.#objects, subject, () => new Map());
    getOrAdd(predicates, predicate, () => []).push(object);
  }

  subjects(): Iterable<string> {
    return this.#objects.keys();
  }

  literals(subject: string, predicate: string): readonly string[] {
    return this.#values(subject, predicate).flatMap((value) =>
      'literal' in value ? [value.literal] : [],
    );
  }

  links(subject: string, predicate: string): readonly string[] {
    return this.#values(subject, predicate).flatMap((value) =>
      'link' in value ? [value.link] : [],
    );
  }

  about(subject: string): Triple[] {
    return Array.from(this.#objects.get(subject) ?? [], ([predicate, objects]) =>
      objects.map((object) => ({ subject, predicate, object })),
    ).flat();
  }

  #values(subject: string, predicate: string): readonly TurtleObject[] {
    return this.#objects.get(subject)?.get(predicate) ?? [];
  }
}

/** Statements can be a few bytes long, so a bound on the bytes alone would allow too many statements. */
const MOST_STATEMENTS = 300_000;

/** The parser keeps an object for every open bracket: 16 MB of brackets would take 3 GB of memory. */
const MOST_BRACKETS = 100_000;

const PLAIN = 'http://www.w3.org/2001/XMLSchema#string';

/** Bytes parsed at once. */
const PIECE = 1 << 14;

interface Parsing {
  mostStatements: number;
  signal?: AbortSignal | undefined;
}

export async function readTurtle(
  body: Buffer | string,
  url: string,
  signal?: AbortSignal,
): Promise<TurtleDocument> {
  const document = new TurtleDocument(url);
  const add = (triple: Triple) => document.add(triple);
  await visitTurtle(body, url, add, { mostStatements: MOST_STATEMENTS, signal });
  return document;
}

/** Documents of several pieces are parsed one after the other: each can take a hundred megabytes of memory. */
const oneAtATime = new ConcurrencyLimit(1);

/** Parses a document of any size in pieces, so that the event loop is never blocked for long. Keeps no statement. */
export async function visitTurtle(
  body: Buffer | string,
  url: string,
  visit: (triple: Triple) => void,
  { mostStatements, signal }: Parsing,
): Promise<void> {
  if (isSpared(url)) {
    const why = 'it was being read when the thread of the last one ended';
    throw new AnalyserError('malformed', `${url} is left out of this analysis: ${why}.`);
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const parse = async () => {
    const parsing = parseTurtle(url, bytes.length, visit, mostStatements);
    const decoder = new StringDecoder('utf8');
    for (let start = 0; start < bytes.length; start += PIECE) {
      if (start > 0) await letOthersWork();
      signal?.throwIfAborted();
      takeApart(url, () => parsing.feed(decoder.write(bytes.subarray(start, start + PIECE))));
    }
    takeApart(url, () => parsing.end(decoder.end()));
  };
  await (bytes.length > PIECE ? oneAtATime.run(parse, signal) : parse());
}

/**
 * Parses text that is pushed piece by piece. If the parser were given the whole text, it would go on in a callback of
 * its own. An exception there, such as for a prefix without an address, would end the process.
 */
function parseTurtle(
  url: string,
  length: number,
  visit: (triple: Triple) => void,
  mostStatements: number,
) {
  const source = new EventEmitter();
  const judge = judgeTokens(url, length);
  let brackets = 0;
  let statements = 0;
  let begun = false;
  let ended = false;
  const onToken = (token: Token) => {
    const problem = judge(token);
    if (problem !== null) throw new Error(problem);
  };
  const onQuad = (error: Error | null, quad: Quad | null) => {
    if (error) throw error;
    if (quad === null) {
      ended = true;
      return;
    }
    statements += 1;
    if (statements > mostStatements)
      throw new Error(`it holds more than ${mostStatements} statements`);
    const subject = nameOf(quad.subject);
    const predicate = quad.predicate.value;
    if (Math.max(subject.length, predicate.length) > LONGEST_NAME)
      throw new Error('one of its names is too long');
    visit({ subject, predicate, object: objectOf(quad.object) });
  };
  // Relative addresses, which the server writes after a PATCH, are relative to the document.
  const parser = new Parser({ baseIRI: url, format: 'text/turtle' });
  const callbacks = { onQuad, onToken };
  parser.parse(source, callbacks);
  const guard = (step: () => void): void => {
    try {
      step();
    } catch (error) {
      throw malformed(url, messageOf(error));
    }
  };
  return {
    feed(text: string) {
      if (text === '') return;
      begun = true;
      brackets += text.replaceAll(/[^([]+/g, '').length;
      if (brackets > MOST_BRACKETS) throw malformed(url, 'it nests without end');
      guard(() => source.emit('data', text));
    },
    end(text: string) {
      this.feed(text);
      // The parser never reports the end of an empty text. The server sends such a text for a document whose last
      // statement was removed.
      if (!begun) return;
      guard(() => source.emit('end'));
      if (!ended) throw malformed(url, 'it ends in the middle of a statement');
    },
  };
}

function malformed(url: string, problem: string): AnalyserError {
  // Tells only the line: the parser quotes the faulty text, which can be long or somebody's data.
  const where = /on line \d+/.exec(problem)?.[0];
  const detail = where === undefined ? problem.slice(0, 100) : `a syntax error ${where}`;
  return new AnalyserError('malformed', `${url} is not a Turtle document: ${detail}.`);
}

function objectOf(object: Quad['object']): TurtleObject {
  if (object.termType !== 'Literal') return { link: nameOf(object) };
  const type = typeOf(object);
  return type === PLAIN ? { literal: object.value } : { literal: object.value, type };
}

function typeOf({ language, datatype }: Literal): string {
  return language === '' ? datatype.value : `@${language}`;
}

function nameOf(term: Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}
