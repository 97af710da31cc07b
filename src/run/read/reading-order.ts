import { compare } from '../../base/lists.js';
import { isLate } from '../table/fate.js';
import { askedOf, Folder, type Pod, type Row } from '../table/row.js';

/** A file, and the Pod that it belongs to. */
export interface PodRow {
  pod: Pod;
  row: Row;
}

export interface PodFolder {
  pod: Pod;
  folder: Folder;
}

type Asked = Row | Folder;

interface OrderRules {
  isCaller: (pod: Pod) => boolean;
  /** Gives new addresses an order that a stranger cannot choose. */
  orderOf: (url: string) => string;
}

/** What of one Pod can be asked for now; the next one stands last. */
interface Line {
  pod: Pod;
  /** Counted from the smallest Pod on. */
  number: number;
  known: Asked[];
  fresh: { asked: Asked; rank: string }[];
}

/**
 * The order in which one server is asked. What was read before comes first, small Pods before large ones, so that small
 * Pods are whole early. Anybody can name new addresses in anybody's Pod: they are asked for one Pod after the other, in
 * an order that nobody can choose. Pods that are known or call take turns with new ones, so that made-up Pods do not
 * push them out of time, nor they new Pods.
 */
export class ReadingOrder {
  /** Small Pods first. */
  readonly #lines: Line[];
  readonly #lineOf: ReadonlyMap<Pod, Line>;
  /** The lines with fresh rows, in the order of their turns. */
  readonly #familiar: Line[] = [];
  readonly #strange: Line[] = [];
  #isTurnOfStrange = false;
  /** No line before this one has known rows. */
  #firstKnown = 0;

  constructor(
    pods: readonly Pod[],
    private readonly rules: OrderRules,
    /** What of a Pod is asked for, before any folder is listed. */
    firstOf: (pod: Pod) => readonly Asked[] = (pod) => awaiting(null, askedOf(pod)),
  ) {
    const sizes = new Map(pods.map((pod) => [pod, countKnown(pod)]));
    this.#lines = pods
      .toSorted((one, other) => (sizes.get(one) ?? 0) - (sizes.get(other) ?? 0))
      .map((pod, number) => ({ pod, number, known: [], fresh: [] }));
    this.#lineOf = new Map(this.#lines.map((line) => [line.pod, line]));
    for (const line of this.#lines) this.#add(line, firstOf(line.pod));
  }

  /**
   * What is asked for next, in one go: one folder, or some files. Null when nothing can be asked for now; a folder that
   * is in hand may bring more.
   */
  next(mostFiles: number): PodFolder | PodRow[] | null {
    // Not both at once: new addresses can give no answer, and what is asked for in one go comes back together.
    const isNew = this.#nextKnown() === undefined;
    const taken: PodRow[] = [];
    while (taken.length < mostFiles) {
      const line = isNew ? this.#freshTurns()[0] : this.#nextKnown();
      const asked = isNew ? line?.fresh.at(-1)?.asked : line?.known.at(-1);
      if (line === undefined || asked === undefined) break;
      if (asked instanceof Folder && taken.length > 0) break;
      if (isNew) this.#takeFresh(line);
      else line.known.pop();
      const { pod } = line;
      if (asked instanceof Folder) return { pod, folder: asked };
      taken.push({ pod, row: asked });
    }
    return taken.length === 0 ? null : taken;
  }

  /** To be called when a folder was listed, and the Pod has the rows of the files that it lists. */
  listed({ pod, folder }: PodFolder): void {
    this.add(pod, awaiting(folder, folder.files));
  }

  /** To be called with what is found meanwhile. */
  add(pod: Pod, found: readonly Asked[]): void {
    const line = this.#lineOf.get(pod);
    if (line !== undefined) this.#add(line, found);
  }

  #add(line: Line, all: readonly Asked[]): void {
    const known = all.filter((asked) => asked.known !== null);
    line.known = [...known.reverse(), ...line.known];
    if (known.length > 0) this.#firstKnown = Math.min(this.#firstKnown, line.number);
    const fresh = all
      .filter((asked) => asked.known === null)
      .map((asked) => ({ asked, rank: this.rules.orderOf(asked.url) }));
    if (fresh.length === 0) return;
    if (line.fresh.length === 0) this.#turnsOf(line).push(line);
    line.fresh = [...line.fresh, ...fresh].sort((one, other) => compare(one.rank, other.rank));
  }

  #nextKnown(): Line | undefined {
    while (this.#lines[this.#firstKnown]?.known.length === 0) this.#firstKnown += 1;
    return this.#lines[this.#firstKnown];
  }

  #takeFresh(line: Line): void {
    const turns = this.#turnsOf(line);
    turns.shift();
    line.fresh.pop();
    if (line.fresh.length > 0) turns.push(line);
    this.#isTurnOfStrange = turns === this.#familiar;
  }

  #freshTurns(): readonly Line[] {
    const [one, other] = this.#isTurnOfStrange
      ? [this.#strange, this.#familiar]
      : [this.#familiar, this.#strange];
    return one.length === 0 ? other : one;
  }

  #turnsOf({ pod }: Line): Line[] {
    return pod.known !== null || this.rules.isCaller(pod) ? this.#familiar : this.#strange;
  }
}

/** What waits for the listing of this folder; with null, what waits for none. */
function awaiting(folder: Folder | null, all: readonly Asked[]): Asked[] {
  return all.filter((asked) => isLate(asked) && folderToAwait(asked) === folder);
}

/**
 * A new file may need the key of its folder, and so waits for the listing. What was read before waits for no folder: it is
 * shared by itself.
 */
function folderToAwait(asked: Asked): Folder | null {
  return asked instanceof Folder || asked.known !== null ? null : asked.folder;
}

function countKnown(pod: Pod): number {
  return askedOf(pod).filter(({ known }) => known !== null).length;
}
