import type { TurtleObject } from './turtle-document.js';

const SPACE = String.raw`[ \t\r\n]*`;
/** The characters that an address may hold without an escape. Only an absolute address may hold a colon. */
const RELATIVE = String.raw`[!#-9;=?-[\]_a-z~\u0080-\uffff]*`;
const WHOLE = String.raw`[A-Za-z][A-Za-z\d+.-]*:[!#-;=?-[\]_a-z~\u0080-\uffff]*`;
const ADDRESS = `<(${RELATIVE}|${WHOLE})>`;
const PREFIX_NAME = String.raw`((?:[A-Za-z][\w-]*)?):`;

/** Each pattern takes time in proportion to the text that it matches or rejects. */
const patterns = {
  space: new RegExp(SPACE, 'y'),
  prefix: new RegExp(`@prefix${SPACE}${PREFIX_NAME}${SPACE}${ADDRESS}${SPACE}\\.`, 'y'),
  // A dot within a prefixed name would be a part of the name, so the match must not end before such a dot.
  term: new RegExp(String.raw`${SPACE}(?:${ADDRESS}|${PREFIX_NAME}(\w[\w-]*)(?!\.\S))`, 'y'),
  type: new RegExp(String.raw`${SPACE}a(?=\s)`, 'y'),
  string: new RegExp(String.raw`${SPACE}"([^"\\\r\n]*)"(?!["@^])`, 'y'),
  quote: new RegExp(`${SPACE}"`, 'y'),
  piece: /[^"\\\r\n]*(["\\]?)/y,
  suffix: /@[\w-]+|\^\^(?:<[^<>"\s]*>|[\w:-]+)/y,
  other: new RegExp(String.raw`${SPACE}[\w.:+-]*\w`, 'y'),
  end: new RegExp(`${SPACE}([.,;])`, 'y'),
  // Of several brackets in a row, only the last can begin an address.
  gap: /(?:<+(?=<)|[^])[^<\n]*/y,
};

const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

/** Gets addresses as they are written, or completed by their prefix. */
export type VisitStatement = (subject: string, predicate: string, object: TurtleObject) => void;

/**
 * Visits the statements of a Turtle document in the form that apps and servers write: names, plain strings, no
 * brackets. Returns true when the document holds nothing else. Other parts are skipped; the full parser may read
 * them. Skipping loses no statement on another line. The time is in proportion to the length of the text, whatever
 * it holds.
 */
export function scanTurtle(text: string, visit: VisitStatement): boolean {
  return new Scanner(text, visit).scan();
}

class Scanner {
  readonly #prefixes = new Map<string, string>();
  #at = 0;
  #isPlain = true;

  constructor(
    private readonly text: string,
    private readonly visit: VisitStatement,
  ) {}

  scan(): boolean {
    for (this.#take(patterns.space); this.#at < this.text.length; this.#take(patterns.space)) {
      const prefix = this.#take(patterns.prefix);
      if (prefix !== null) this.#prefixes.set(prefix[1] ?? '', prefix[2] ?? '');
      else if (!this.#statement()) this.#isPlain = false;
    }
    return this.#isPlain;
  }

  /**
   * Returns false when the text here is not a whole statement. The scan then goes on inside this text, because the
   * next statement may begin there.
   */
  #statement(): boolean {
    const subject = this.#term();
    if (subject === null) {
      this.#take(patterns.gap);
      return false;
    }
    let end: string | undefined = ';';
    while (end === ';') {
      this.#take(patterns.space);
      const start = this.#at;
      const predicate = this.#term() ?? (this.#take(patterns.type) && TYPE);
      do {
        const object = predicate === null ? null : this.#object();
        if (predicate !== null && object !== null) this.visit(subject, predicate, object);
        end = object === null ? undefined : this.#take(patterns.end)?.[1];
      } while (end === ',');
      if (end === undefined) this.#at = start;
    }
    return end === '.';
  }

  #term(): string | null {
    const [whole, address, prefix = '', name = ''] = this.#take(patterns.term) ?? [];
    if (whole === undefined || address !== undefined) return address ?? null;
    const namespace = this.#prefixes.get(prefix);
    return namespace === undefined ? null : `${namespace}${name}`;
  }

  #object(): TurtleObject | null {
    const literal = this.#take(patterns.string)?.[1];
    if (literal !== undefined) return { literal };
    const link = this.#term();
    if (link !== null) return { link };
    // This scanner cannot read the object exactly, and leaves it to the full parser.
    this.#isPlain = false;
    const isKnown = this.#longerString() || this.#take(patterns.other) !== null;
    return isKnown ? { literal: '' } : null;
  }

  /** A string with escapes, a language or a datatype; in pieces, because it can have any length. */
  #longerString(): boolean {
    if (this.#take(patterns.quote) === null) return false;
    let end = this.#take(patterns.piece)?.[1];
    while (end === '\\') {
      this.#at += 1;
      end = this.#take(patterns.piece)?.[1];
    }
    this.#take(patterns.suffix);
    return end === '"';
  }

  /** Matches at the current position and moves past the match. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}
