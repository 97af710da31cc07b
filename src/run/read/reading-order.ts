import { compare } from '../../base/lists.js';
import { isFor } from '../../pod/outcome.js';
import { isNotAsked, isSilent } from '../table/fate.js';
import { askedOf, Folder, type Pod, type Row } from '../table/row.js';

export interface PodRow {
  pod: Pod;
  row: Row;
}

export interface PodFolder {
  pod: Pod;
  folder: Folder;
}

type Asked = Row | Folder;

export type Item =
  | ({ kind: 'folder' } & PodFolder)
  | { kind: 'files'; rows: PodRow[] }
  /** The known files of a Pod that its server refused. */
  | { kind: 'refusals'; pod: Pod; rows: readonly Row[] };

interface OrderRules {
  isCaller: (pod: Pod) => boolean;
  orderOf: (url: string) => string;
  /** How much of a Pod may be in hand while others wait, or while it gives no answers. */
  atOnceOfPod: number;
}

/** What of one Pod can be asked for now; the next one stands last. */
interface Line {
  pod: Pod;
  known: Asked[];
  newcomers: { asked: Asked; rank: string }[];
  inHand: number;
  /** How many known files have not been answered. */
  open: number;
  /** Known files that were refused, until they are confirmed. */
  refused: Row[];
  isConfirming: boolean;
  /** Whether it gave an answer to what it was asked for last. */
  answers: boolean;
}

/**
 * The order in which one server is asked. What was read before comes first, small Pods before large ones, so that small
 * Pods are whole early; and as soon as all known files of a Pod are answered, its refusals are confirmed. Anybody can name
 * new addresses in anybody's Pod: they are asked for after that, one Pod after the other, in an order that nobody can
 * choose. Pods that are known or call take turns with new ones, so that made-up Pods do not push them out of time, nor
 * they new Pods. A Pod that gives no answers never has much in hand, so that it keeps nobody else from being asked.
 */
export class ReadingOrder {
  readonly #lineOf: ReadonlyMap<Pod, Line>;
  /** Small Pods first. */
  readonly #withKnown: Set<Line>;
  readonly #toConfirm: Line[] = [];
  /** Both have the lines with new rows, in the order of their turns. */
  readonly #familiar = new Set<Line>();
  readonly #strange = new Set<Line>();
  #isTurnOfStrange = false;
  #confirming = 0;

  constructor(
    pods: readonly Pod[],
    private readonly rules: OrderRules,
    /** What of a Pod is asked for, before any folder is listed. */
    firstOf: (pod: Pod) => readonly Asked[] = (pod) => awaiting(null, askedOf(pod)),
  ) {
    const lines = pods
      .map((pod) => lineOf(pod, firstOf(pod)))
      .sort((one, other) => one.known.length - other.known.length);
    this.#lineOf = new Map(lines.map((line) => [line.pod, line]));
    this.#withKnown = new Set(lines.filter(({ known }) => known.length > 0));
    for (const { pod } of lines) this.add(pod, firstOf(pod));
  }

  /** What nothing new may be asked for before: refusals to confirm, then what was read before. Null if nothing is to begin. */
  nextKnown(mostFiles: number): Item | null {
    return this.nextRefusals() ?? this.#take(mostFiles, () => this.#firstOf(this.#withKnown));
  }

  /** Null when nothing can be asked for now; a folder that is in hand may bring more. */
  nextNewcomers(mostFiles: number): Item | null {
    const isAnswered = ({ open, isConfirming }: Line) => open === 0 && !isConfirming;
    return this.#take(mostFiles, () => {
      const turns = [this.#familiar, this.#strange];
      if (this.#isTurnOfStrange) turns.reverse();
      for (const lines of turns) {
        const line = this.#firstOf(lines, isAnswered);
        if (line !== undefined) return line;
      }
      return undefined;
    });
  }

  nextRefusals(): Item | null {
    const line = this.#toConfirm.shift();
    if (line === undefined) return null;
    const rows = line.refused;
    line.refused = [];
    return { kind: 'refusals', pod: line.pod, rows };
  }

  get isConfirming(): boolean {
    return this.#confirming > 0;
  }

  /** Nothing more is read: whatever was refused is confirmed now, or once what is being confirmed is done. */
  end(): void {
    for (const line of this.#lineOf.values()) this.#confirm(line);
  }

  /** To be called with what was done; of a folder when the Pod has the rows of the files that it lists. */
  done(item: Item): void {
    if (item.kind === 'refusals') {
      const line = this.#lineOf.get(item.pod);
      if (line !== undefined) line.isConfirming = false;
      this.#confirming -= 1;
    } else if (item.kind === 'folder') {
      this.#answered(item.pod, item.folder);
      this.add(item.pod, awaiting(item.folder, item.folder.files));
    } else {
      for (const { pod, row } of item.rows) this.#answered(pod, row);
    }
  }

  add(pod: Pod, found: readonly Asked[]): void {
    const line = this.#lineOf.get(pod);
    const newcomers = found
      .filter((asked) => asked.known === null)
      .map((asked) => ({ asked, rank: this.rules.orderOf(asked.url) }));
    if (line === undefined || newcomers.length === 0) return;
    line.newcomers = [...line.newcomers, ...newcomers].sort((one, other) =>
      compare(one.rank, other.rank),
    );
    this.#turnsOf(line).add(line);
  }

  #answered(pod: Pod, asked: Asked): void {
    const line = this.#lineOf.get(pod);
    if (line === undefined) return;
    line.inHand -= 1;
    line.answers = !isSilent(asked) && !isNotAsked(asked);
    if (asked instanceof Folder || asked.known === null) return;
    line.open -= 1;
    if (isFor(asked.outcome, 'uncertain')) line.refused.push(asked);
    if (line.open === 0) this.#confirm(line);
  }

  #confirm(line: Line): void {
    if (line.refused.length === 0 || line.isConfirming) return;
    line.isConfirming = true;
    this.#confirming += 1;
    this.#toConfirm.push(line);
  }

  /** The first that may have one more in hand: one that has few, or else one that answers. */
  #firstOf(lines: Iterable<Line>, isFree: (line: Line) => boolean = () => true): Line | undefined {
    let answering: Line | undefined;
    for (const line of lines) {
      if (!isFree(line)) continue;
      if (line.inHand < this.rules.atOnceOfPod) return line;
      if (line.answers) answering ??= line;
    }
    return answering;
  }

  #take(mostFiles: number, nextLine: () => Line | undefined): Item | null {
    const rows: PodRow[] = [];
    while (rows.length < mostFiles) {
      const line = nextLine();
      const asked = line?.known.at(-1) ?? line?.newcomers.at(-1)?.asked;
      if (line === undefined || asked === undefined) break;
      if (asked instanceof Folder && rows.length > 0) break;
      this.#takeFrom(line);
      const { pod } = line;
      if (asked instanceof Folder) return { kind: 'folder', pod, folder: asked };
      rows.push({ pod, row: asked });
    }
    return rows.length === 0 ? null : { kind: 'files', rows };
  }

  #takeFrom(line: Line): void {
    line.inHand += 1;
    if (line.known.pop() !== undefined) {
      if (line.known.length === 0) this.#withKnown.delete(line);
      return;
    }
    const turns = this.#turnsOf(line);
    turns.delete(line);
    line.newcomers.pop();
    if (line.newcomers.length > 0) turns.add(line);
    this.#isTurnOfStrange = turns === this.#familiar;
  }

  #turnsOf({ pod }: Line): Set<Line> {
    return pod.known !== null || this.rules.isCaller(pod) ? this.#familiar : this.#strange;
  }
}

function lineOf(pod: Pod, first: readonly Asked[]): Line {
  const known = first.filter((asked) => asked.known !== null).reverse();
  const open = known.filter((asked) => !(asked instanceof Folder)).length;
  const none = { newcomers: [], inHand: 0, refused: [], isConfirming: false, answers: false };
  return { pod, known, open, ...none };
}

/** What waits for the listing of this folder; with null, what waits for none. */
function awaiting(folder: Folder | null, all: readonly Asked[]): Asked[] {
  return all.filter((asked) => isNotAsked(asked) && folderToAwait(asked) === folder);
}

/** A new file waits for the listing, because it may need the folder's key; what was read before is shared by itself. */
function folderToAwait(asked: Asked): Folder | null {
  return asked instanceof Folder || asked.known !== null ? null : asked.folder;
}
