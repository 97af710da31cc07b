import { compare } from '../../base/lists.js';
import type { Pod, Row } from '../../memory/pod-table.js';
import { isFolder } from '../../pod/resource-address.js';

/** A row, and the Pod that it belongs to. */
export interface Item {
  pod: Pod;
  row: Row;
}

/** What is asked of a server in one go: one folder, or some files. */
export interface Piece {
  items: readonly Item[];
  /** Whether these are new, and not shares that were read before. */
  isNew: boolean;
}

interface OrderRules {
  /** How many pieces are asked for at once. */
  atOnce: number;
  isCaller: (pod: Pod) => boolean;
  /** Gives new addresses an order that a stranger cannot choose. */
  orderOf: (url: string) => string;
}

/** The rows of one Pod that can be asked for now; the next one stands last. */
interface Line {
  pod: Pod;
  index: number;
  known: Row[];
  fresh: Row[];
  isInRounds: boolean;
}

/**
 * The order in which one server is asked. What was read before comes first, small Pods before large ones, so that small
 * Pods are whole early. Anybody can name new addresses in anybody's Pod: they are asked for one Pod after the other, in
 * an order that nobody can choose, and take at most half of the places while anything that was read before is in hand.
 * Pods that are known or call take turns with new ones, so that made-up Pods do not push them out of time, nor they new
 * Pods.
 */
export class ReadingOrder {
  readonly #lines: Line[];
  readonly #lineOf: ReadonlyMap<Pod, Line>;
  /** Files that wait for their folder. */
  readonly #held = new Map<Row, Row[]>();
  readonly #ranks = new Map<Row, string>();
  readonly #ofFamiliar = new Rounds();
  readonly #ofNewPods = new Rounds();
  #isTurnOfNewPods = false;
  readonly #inHand = { known: 0, fresh: 0 };
  /** No line before this one has known rows. */
  #at = 0;

  constructor(
    pods: readonly Pod[],
    private readonly rules: OrderRules,
  ) {
    const sizes = new Map(pods.map((pod) => [pod, countKnown(pod)]));
    this.#lines = pods
      .toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0))
      .map((pod, index) => ({ pod, index, known: [], fresh: [], isInRounds: false }));
    this.#lineOf = new Map(this.#lines.map((line) => [line.pod, line]));
    for (const line of this.#lines) {
      const free: Row[] = [];
      for (const row of line.pod.rows.values()) {
        const folder = folderToAwait(row);
        if (folder === null) free.push(row);
        else addTo(this.#held, folder, row);
      }
      this.#add(line, free);
    }
  }

  /** Null when nothing can be asked for now; what is in hand may bring more. */
  next(mostFiles: number): Piece | null {
    const isNew = !this.#hasKnown();
    if (isNew && !this.#mayTakeNew()) return null;
    const items: Item[] = [];
    while (items.length < mostFiles) {
      const line = isNew ? this.#freshRounds().next : this.#nextKnown();
      const row = isNew ? line?.fresh.at(-1) : line?.known.at(-1);
      if (line === undefined || row === undefined) break;
      if (isFolder(row.url) && items.length > 0) break;
      if (isNew) this.#takeFresh(line);
      else line.known.pop();
      items.push({ pod: line.pod, row });
      if (isFolder(row.url)) break;
    }
    if (items.length === 0) return null;
    this.#inHand[isNew ? 'fresh' : 'known'] += 1;
    return { items, isNew };
  }

  /** `found` are files that the listing of a folder has brought. */
  done({ items, isNew }: Piece, found: readonly Row[]): void {
    this.#inHand[isNew ? 'fresh' : 'known'] -= 1;
    for (const { pod, row } of items) {
      const line = this.#lineOf.get(pod);
      const held = this.#held.get(row) ?? [];
      if (line !== undefined && isFolder(row.url)) this.#add(line, [...held, ...found]);
    }
  }

  #add(line: Line, rows: readonly Row[]): void {
    const known = rows.filter((row) => row.known !== null);
    if (known.length > 0) {
      line.known = [...known.reverse(), ...line.known];
      this.#at = Math.min(this.#at, line.index);
    }
    const fresh = rows.filter((row) => row.known === null);
    if (fresh.length === 0) return;
    const rankOf = (row: Row) => this.#ranks.get(row) ?? '';
    const byRank = (one: Row, other: Row) => compare(rankOf(one), rankOf(other));
    for (const row of fresh) this.#ranks.set(row, this.rules.orderOf(row.url));
    line.fresh = [...line.fresh, ...fresh.sort(byRank)].sort(byRank);
    if (!line.isInRounds) this.#roundsOf(line).add(line);
    line.isInRounds = true;
  }

  #roundsOf({ pod }: Line): Rounds {
    return pod.known !== null || this.rules.isCaller(pod) ? this.#ofFamiliar : this.#ofNewPods;
  }

  #hasKnown(): boolean {
    while (this.#lines[this.#at]?.known.length === 0) this.#at += 1;
    return this.#at < this.#lines.length;
  }

  #mayTakeNew(): boolean {
    const most = Math.max(1, Math.floor(this.rules.atOnce / 2));
    return this.#inHand.known === 0 || this.#inHand.fresh < most;
  }

  #nextKnown(): Line | undefined {
    return this.#hasKnown() ? this.#lines[this.#at] : undefined;
  }

  #freshRounds(): Rounds {
    const [one, other] = this.#isTurnOfNewPods
      ? [this.#ofNewPods, this.#ofFamiliar]
      : [this.#ofFamiliar, this.#ofNewPods];
    return one.next === undefined ? other : one;
  }

  #takeFresh(line: Line): void {
    line.fresh.pop();
    line.isInRounds = line.fresh.length > 0;
    const rounds = this.#roundsOf(line);
    rounds.advance(line.isInRounds);
    this.#isTurnOfNewPods = rounds === this.#ofFamiliar;
  }
}

/** Lines that are asked for one row each, again and again. */
class Rounds {
  #now: Line[] = [];
  #later: Line[] = [];
  #at = 0;

  get next(): Line | undefined {
    return this.#now[this.#at];
  }

  add(line: Line): void {
    this.#later.push(line);
    this.#turnOver();
  }

  /** Goes on to the next line; the present one comes again in the next round if it `isLeft`. */
  advance(isLeft: boolean): void {
    const line = this.#now[this.#at];
    if (line !== undefined && isLeft) this.#later.push(line);
    this.#at += 1;
    this.#turnOver();
  }

  #turnOver(): void {
    if (this.#at < this.#now.length) return;
    this.#now = this.#later;
    this.#later = [];
    this.#at = 0;
  }
}

/**
 * A file may need the key of its folder, and so waits for the listing. What was read before waits for no folder that
 * anybody can have named.
 */
function folderToAwait({ known, folder }: Row): Row | null {
  if (folder === null) return null;
  return known === null || folder.known !== null ? folder : null;
}

function countKnown({ rows }: Pod): number {
  return [...rows.values()].filter(({ known }) => known !== null).length;
}

function addTo(lists: Map<Row, Row[]>, folder: Row, file: Row): void {
  const list = lists.get(folder);
  if (list === undefined) lists.set(folder, [file]);
  else list.push(file);
}
