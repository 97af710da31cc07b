import { hash } from 'node:crypto';
import {
  fieldOf,
  isSealedValue,
  MOST_USELESS,
  type ScannedInbox,
  type SealedShare,
  ShareCollection,
  shareIdOf,
} from './scan-shared-keys.js';
import { type Block, readBlock, type Statement, scanUsualInbox } from './scan-usual-inbox.js';

/** One share of an inbox, not taken apart before somebody wants to. */
export interface SealedEntry {
  /** The same for the same text. */
  readonly name: string;
  load(): SealedShare | null;
}

export interface SealedEntries extends Pick<ScannedInbox, 'useless' | 'damage'> {
  entries: SealedEntry[];
}

/** Of an inbox that had to be read in full. */
export function entriesOf({ shares, useless, damage }: ScannedInbox): SealedEntries {
  const entries = shares.map((share) => ({
    name: hash('sha256', JSON.stringify(share), 'base64'),
    load: () => share,
  }));
  return { entries, useless, damage };
}

/**
 * Of an inbox in the layout that inboxes have; null for every other one. What is kept of an entry
 * is where it stands: the document is there already, and tens of thousands of texts cut out of it
 * would take more room than it does.
 */
export async function scanUsualEntries(
  body: Buffer,
  url: string,
  signal?: AbortSignal,
): Promise<SealedEntries | null> {
  const entries = new Map<string, UsualEntry>();
  const useless = new Set<string>();
  const collect = ({ subject, statements, start, end }: Block): void => {
    const values = statements.filter(([predicate]) => fieldOf(predicate) !== null);
    if (values.length === 0) return;
    const id = copy(shareIdOf(subject));
    if (!values.some(isSealed)) {
      if (useless.size < MOST_USELESS) useless.add(id);
      return;
    }
    const known = entries.get(id);
    if (known === undefined) entries.set(id, new UsualEntry(body, url, start, end));
    else known.add(start, end);
  };
  if (!(await scanUsualInbox(body, url, collect, signal))) return null;
  return {
    entries: [...entries.values()],
    useless: [...useless].filter((id) => !entries.has(id)),
    damage: null,
  };
}

function isSealed([, object]: Statement): boolean {
  return 'literal' in object && isSealedValue(object.literal);
}

class UsualEntry implements SealedEntry {
  name: string;
  readonly #places: [start: number, end: number][];

  constructor(
    readonly body: Buffer,
    readonly url: string,
    start: number,
    end: number,
  ) {
    this.name = hash('sha256', body.subarray(start, end), 'base64');
    this.#places = [[start, end]];
  }

  /** Anybody may write about a subject in a second place. */
  add(start: number, end: number): void {
    const more = hash('sha256', this.body.subarray(start, end), 'base64');
    this.name = hash('sha256', `${this.name} ${more}`, 'base64');
    this.#places.push([start, end]);
  }

  load(): SealedShare | null {
    const collection = new ShareCollection();
    for (const [start, end] of this.#places) {
      const block = readBlock(this.body.toString('latin1', start, end), this.url);
      for (const [predicate, object] of block?.statements ?? []) {
        collection.add(
          block?.subject ?? '',
          predicate,
          'literal' in object ? object.literal : null,
        );
      }
    }
    return collection.result(null).shares[0] ?? null;
  }
}

/** One that does not keep the large text that it was cut out of. */
function copy(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
