export type Token =
  /** The address as written, or the one that a prefixed name stands for. */
  | { kind: 'iri'; value: string; at: number }
  | { kind: 'literal'; value: string; at: number }
  /** A blank node, a number or a boolean. */
  | { kind: 'term'; at: number }
  /** Several in a row come as one token with their count; round and square brackets are alike. */
  | { kind: 'punctuation'; value: string; count: number; at: number }
  /** Text that is no Turtle. */
  | { kind: 'odd'; at: number };

/** Each pattern is a single class of characters, so that none backtracks. */
const SPACE = /\s*/y;
const IRI = /<([^<>"{}|^`\s]*)>/y;
const NUMBER = /[+-]?(?:\d*\.\d+|\d+)(?:[eE][+-]?\d+)?/y;
const ODD = /[^\s<"'#.;,[\]()]*/y;
/** What follows a quotation mark that nothing closes. */
const REST = /[^\s<]*/y;
const PUNCTUATION = /[[(]+|[\])]+|\.+|;+|,+/y;
const OPENINGS = /<+/y;
const NAME = /([\w.\-\u0080-\uffff]*)(:[\w:%.\-\u0080-\uffff]*)?/y;
const DIRECTIVE = /@?(?:prefix\s+([^\s:<>"]*):\s*|base\s+)<([^<>"\s]*)>/iy;
const SUFFIX = /@[a-z][\w-]*|\^\^(?:<[^<>"\s]*>|[\w.-]*:[\w.-]*[\w-])/iy;
const AFTER_DIRECTIVE = /\s*\./y;
const STRING_END = { '"': /["\\\r\n]/g, "'": /['\\\r\n]/g };

const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

/**
 * The tokens of a Turtle document, even of a broken one: text that makes no sense is skipped, so
 * that nobody can hide what others wrote after it. The time is proportional to the length.
 */
export function* turtleTokens(text: string, { longStrings = true } = {}): Generator<Token> {
  const reader = new TokenReader(text, longStrings);
  for (let token = reader.next(); token !== null; token = reader.next()) yield token;
}

class TokenReader {
  readonly #prefixes = new Map<string, string>();
  #at = 0;
  /** No string ends before this position, so that its end is looked for only once. */
  #noStringBefore = 0;
  #noLongString = '';

  constructor(
    private readonly text: string,
    private readonly longStrings: boolean,
  ) {}

  /** Null at the end. */
  next(): Token | null {
    while (true) {
      this.#take(SPACE);
      const first = this.text.charAt(this.#at);
      if (first === '') return null;
      if (!this.#skipComment(first) && !this.#skipDirective(first)) return this.#read(first);
    }
  }

  #read(first: string): Token {
    const at = this.#at;
    if (first === '<') return this.#iri(at);
    if (first === '"' || first === "'") return this.#literal(first, at);
    const isNumber = /[\d+-]/.test(first) || /^\.\d/.test(this.text.slice(at, at + 2));
    if (isNumber && this.#take(NUMBER) !== null) return { kind: 'term', at };
    if ('.;,[]()'.includes(first)) {
      const count = this.#take(PUNCTUATION)?.[0].length ?? 1;
      this.#at = at + count;
      return { kind: 'punctuation', value: first, count, at };
    }
    return this.#name(at);
  }

  #iri(at: number): Token {
    const iri = this.#take(IRI);
    if (iri !== null) return { kind: 'iri', value: unescape(iri[1] ?? ''), at };
    // Only the last bracket of a row can begin something.
    const openings = this.#take(OPENINGS)?.[0].length ?? 1;
    this.#at = at + Math.max(1, openings - 1);
    return { kind: 'odd', at };
  }

  #literal(quote: string, at: number): Token {
    const long = quote.repeat(3);
    const isLong =
      this.longStrings && this.#noLongString !== long && this.text.startsWith(long, at);
    this.#at = at + 1;
    if (!isLong && at < this.#noStringBefore) {
      this.#take(REST);
      return { kind: 'odd', at };
    }
    const found = readString(this.text, at + (isLong ? 3 : 1), isLong ? long : quote);
    if (found.isWhole) {
      this.#at = found.end;
      this.#take(SUFFIX);
      return { kind: 'literal', value: found.value, at };
    }
    if (isLong) this.#noLongString = long;
    else this.#noStringBefore = found.end;
    return { kind: 'odd', at };
  }

  #name(at: number): Token {
    const [whole = '', word = '', local] = this.#take(NAME) ?? [];
    const name = whole.replace(/\.+$/, '');
    this.#at = at + Math.max(1, name.length);
    if (name !== '') return nameToken(name, word, local !== undefined, this.#prefixes, at);
    this.#take(ODD);
    return { kind: 'odd', at };
  }

  #skipComment(first: string): boolean {
    if (first !== '#') return false;
    const line = this.text.indexOf('\n', this.#at);
    this.#at = line < 0 ? this.text.length : line;
    return true;
  }

  #skipDirective(first: string): boolean {
    const directive = '@pPbB'.includes(first) ? this.#take(DIRECTIVE) : null;
    if (directive === null) return false;
    const [, prefix, namespace = ''] = directive;
    if (prefix !== undefined) this.#prefixes.set(prefix, unescape(namespace));
    this.#take(AFTER_DIRECTIVE);
    return true;
  }

  /** Matches at the current position and moves past the match. */
  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}

function nameToken(
  name: string,
  word: string,
  isPrefixed: boolean,
  prefixes: ReadonlyMap<string, string>,
  at: number,
): Token {
  if (isPrefixed && word === '_') return { kind: 'term', at };
  if (isPrefixed) {
    const namespace = prefixes.get(word);
    if (namespace === undefined) return { kind: 'odd', at };
    return { kind: 'iri', value: namespace + name.slice(word.length + 1), at };
  }
  if (name === 'a') return { kind: 'iri', value: TYPE, at };
  return { kind: name === 'true' || name === 'false' ? 'term' : 'odd', at };
}

/** Not a single pattern, because a string may be as long as the document. */
function readString(
  text: string,
  start: number,
  quote: string,
): { isWhole: boolean; value: string; end: number } {
  const stop = quote.startsWith('"') ? STRING_END['"'] : STRING_END["'"];
  let hasEscapes = false;
  for (let at = start; ; at += 1) {
    stop.lastIndex = at;
    const found = stop.exec(text);
    if (found === null) return { isWhole: false, value: '', end: text.length };
    at = found.index;
    if (text.startsWith(quote, at)) {
      const raw = text.slice(start, at);
      return { isWhole: true, value: hasEscapes ? unescape(raw) : raw, end: at + quote.length };
    }
    if (found[0] === '\\') {
      hasEscapes = true;
      at += 1;
    } else if (quote.length === 1) return { isWhole: false, value: '', end: at };
  }
}

const escapes: Readonly<Record<string, string>> = { t: '\t', b: '\b', n: '\n', r: '\r', f: '\f' };

function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)/gs, (escape) => {
    const one = escape.charAt(1);
    if (escape.length === 2) return escapes[one] ?? one;
    const code = Number.parseInt(escape.slice(2), 16);
    return code > 0x10_ff_ff ? '\ufffd' : String.fromCodePoint(code);
  });
}
