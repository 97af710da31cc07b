import { messageOf } from '../../base/errors.js';
import { visitTurtle } from '../../solid/documents/read-turtle.js';
import { scanTurtle, type VisitStatement } from '../../solid/documents/scan-turtle.js';
import { malformed } from '../documents/single-value.js';
import { vocabulary as v } from '../vocabulary.js';

/** One entry of shared/shared-keys.ttl. It should have one value of each kind; anybody may add more. */
export interface SealedEntry {
  id: string;
  sealedPaths: string[];
  sealedKeys: string[];
  sealedAccessLists: string[];
}

export interface SealedEntries {
  /** Entries whose values could be sealed values. */
  entries: SealedEntry[];
  /** Subjects without such values, no more than MOST_USELESS. */
  useless: string[];
  /**
   * Why the document could not be read as a whole; `entries` are then only those in the form that apps write. Null if
   * all of it was read.
   */
  damage: string | null;
}

/** A value sealed with a key of 1024 to 48,000 bits, in base64. */
const SHORTEST_VALUE = 160;
const LONGEST_VALUE = 8192;
const MOST_USELESS = 1000;

/** The full parser takes at most 0.2 s for this size. */
const LARGEST_FOR_PARSER = 8 * 1024 * 1024;
const MOST_STATEMENTS = 100_000;
const TOO_LARGE = 'it is larger than 8 MB, and not all of it is of the form that apps write';

type Field = 'sealedPaths' | 'sealedKeys' | 'sealedAccessLists';

const fields: ReadonlyMap<string, Field> = new Map([
  [v.sharedPath, 'sealedPaths'],
  [v.sharedKey, 'sealedKeys'],
  [v.sharedAccess, 'sealedAccessLists'],
]);

/**
 * The entries of an inbox, even of a broken inbox: anybody can spoil it, and everybody else's entries must still
 * count. If the parser cannot read the whole document, only entries in the form that apps write are taken.
 */
export function readSealedEntries(text: string, url: string): SealedEntries {
  const scanned = new Collection(url);
  if (scanTurtle(text, scanned.visit)) return { ...scanned.result(), damage: null };
  try {
    if (text.length > LARGEST_FOR_PARSER) throw malformed(url, TOO_LARGE);
    const parsed = new Collection(url);
    visitTurtle(text, url, parsed.visit, MOST_STATEMENTS);
    return { ...parsed.result(), damage: null };
  } catch (error) {
    const found = scanned.result();
    // A different document, such as the error page of a proxy, must not pass for an empty inbox.
    if (found.entries.length === 0) throw error;
    return { ...found, damage: messageOf(error) };
  }
}

class Collection {
  readonly #entries = new Map<string, SealedEntry>();
  readonly #useless = new Set<string>();

  constructor(private readonly base: string) {}

  readonly visit: VisitStatement = (subject, predicate, object) => {
    const field = fields.get(predicate);
    if (field === undefined) return;
    const id = shareIdOf(subject, this.base);
    if (!('literal' in object) || !isSealedValue(object.literal)) {
      if (this.#useless.size < MOST_USELESS) this.#useless.add(id);
      return;
    }
    const entry = this.#entries.get(id) ?? {
      id,
      sealedPaths: [],
      sealedKeys: [],
      sealedAccessLists: [],
    };
    // The first push to an array reserves room for many more, which most entries do not need.
    if (entry[field].length === 0) entry[field] = [object.literal];
    else entry[field].push(object.literal);
    this.#entries.set(id, entry);
  };

  result(): Omit<SealedEntries, 'damage'> {
    const useless = [...this.#useless].filter((id) => !this.#entries.has(id));
    return { entries: [...this.#entries.values()], useless };
  }
}

function isSealedValue(literal: string): boolean {
  return literal.length >= SHORTEST_VALUE && literal.length <= LONGEST_VALUE;
}

function shareIdOf(subject: string, base: string): string {
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(subject);
  const iri = isRelative && URL.canParse(subject, base) ? new URL(subject, base).href : subject;
  return (iri.startsWith(v.resourceId) ? iri.slice(v.resourceId.length) : iri).slice(0, 200);
}
