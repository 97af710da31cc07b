import { isRecord } from '../base/parse-json.js';
import { figuresOf } from './figures.js';
import { type Entry, type EntrySink, measureNames } from './reading.js';

const LONGEST_ENTRY = 1_048_576;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Reads one entry or a list of entries in JSON from text that comes in pieces. Each entry is
 * parsed as soon as its text is complete, and none is kept.
 */
export class JsonEntries {
  #kind: 'list' | 'entry' | null = null;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #isDone = false;
  /** The text of the current entry, as far as it has come. */
  #entry = '';
  #entries = 0;

  constructor(private readonly sink: EntrySink) {}

  /** Returns false when the sink wants no more; throws a SyntaxError when this is no such JSON. */
  push(text: string): boolean {
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#inString) this.#passString(code);
      else if (code === QUOTE) this.#inString = true;
      else if (OPENING.has(code)) {
        if (this.#depth === 0) this.#open(text[at] === '[');
        if (this.#depth === 0 && this.#kind === 'list') start = at + 1;
        this.#depth += 1;
      } else if (CLOSING.has(code)) {
        this.#depth -= 1;
        if (this.#depth > 0) continue;
        const end = this.#kind === 'list' ? at : at + 1;
        const wantsMore = this.#close(text.slice(start, end), text[at]);
        start = at + 1;
        if (!wantsMore) return false;
      } else if (code === COMMA && this.#depth === 1 && this.#kind === 'list') {
        if (!this.#take(text.slice(start, at))) return false;
        start = at + 1;
      }
    }
    this.#entry += text.slice(start);
    if (this.#entry.length > LONGEST_ENTRY) throw new SyntaxError('An entry does not end.');
    return true;
  }

  end(): void {
    if (!this.#isDone || this.#entry.trim() !== '') throw new SyntaxError('It is not whole.');
  }

  #passString(code: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (code === BACKSLASH) this.#escaped = true;
    else if (code === QUOTE) this.#inString = false;
  }

  #open(isList: boolean): void {
    if (this.#isDone || this.#entry.trim() !== '') throw new SyntaxError('It goes on.');
    this.#entry = '';
    this.#kind = isList ? 'list' : 'entry';
  }

  #close(text: string, bracket: string | undefined): boolean {
    this.#isDone = true;
    if (this.#kind === 'entry') return this.#take(text);
    if (bracket !== ']' || this.#depth < 0) throw new SyntaxError('The list is not closed.');
    const isEmpty = this.#entries === 0 && (this.#entry + text).trim() === '';
    this.#entry = isEmpty ? '' : this.#entry;
    return isEmpty || this.#take(text);
  }

  #take(text: string): boolean {
    const value: unknown = JSON.parse(this.#entry + text);
    this.#entry = '';
    this.#entries += 1;
    return this.sink(entryOf(value));
  }
}

function entryOf(value: unknown): Entry {
  if (!isRecord(value)) return null;
  // Older files have the measures at the top level.
  const responses = value['responses'];
  const measures = isRecord(responses) ? responses : value;
  if (measures === value && !measureNames.some((name) => Object.hasOwn(value, name))) return null;
  return { timestamp: value['timestamp'], ...figuresOf((name) => measures[name]) };
}
