import type { PodAggregate } from '../../analysis/pod-aggregate.js';
import type { Reading } from '../../analysis/reading.js';
import type { RememberedPod, RememberedShare } from '../../memory/memory.js';
import { hasEnded, isFor, notAsked, type Outcome } from '../../pod/outcome.js';
import type { Owner } from '../../pod/pod-of-resource.js';
import type { OpenTo } from '../../pod/public-access.js';
import { isFolder } from '../../pod/resource-address.js';

/** One row of the table that an analysis fills in: a shared file or folder, or a file that a shared folder lists. */
export interface Row {
  /** Canonical; a folder's ends in a slash. */
  readonly url: string;
  /** Given for this address, in the order to try them: the remembered key first. Anybody can have added wrong keys. */
  readonly keys: readonly Buffer[];
  /** Digests of the roots of other Pods that have keys which were given for it too. Such keys are never tried. */
  readonly foreign: ReadonlySet<string>;
  /** As it was read before; null for a new share. Only what was read before can be missing. */
  readonly known: RememberedShare | null;
  /** Whether an entry of the inbox names it. Also true when the inbox was not read: it may hold an entry. */
  readonly hasEntry: boolean;
  /** The shared folder directly around it. */
  readonly folder: Row | null;
  /** Whether the folder lists it. */
  isListed: boolean;
  /** Of a folder: the outcome of its listing. */
  outcome: Outcome;
  openTo: OpenTo;
  /** Null for a folder, and for a file that does not count. */
  sums: PodAggregate | null;
  /** The readings behind the figures, if the Pod's chart is drawn; else empty. */
  readings: readonly Reading[];
}

/** Everything that one Pod shares. */
export interface Pod {
  readonly owner: Owner;
  /** A keyed digest of the root. */
  readonly digest: string;
  readonly known: RememberedPod | null;
  /** By address. */
  readonly rows: Map<string, Row>;
}

type Given = Pick<Row, 'url' | 'folder'> &
  Partial<Pick<Row, 'keys' | 'foreign' | 'known' | 'hasEntry' | 'isListed'>>;

/** Shared by all rows: there can be a row for every reading of a cohort, so each is kept small. */
const nobody: ReadonlySet<string> = new Set();
const nothing: readonly never[] = [];

/** A row that nobody has asked for yet. */
export function newRow({
  url,
  folder,
  keys = nothing,
  foreign = nobody,
  known = null,
  hasEntry = false,
  isListed = false,
}: Given): Row {
  return {
    url,
    keys,
    foreign,
    known,
    hasEntry,
    folder,
    isListed,
    outcome: notAsked,
    openTo: 'unknown',
    sums: null,
    readings: nothing,
  };
}

export function filesOf({ rows }: Pick<Pod, 'rows'>): Row[] {
  return [...rows.values()].filter(({ url }) => !isFolder(url));
}

export function foldersOf({ rows }: Pick<Pod, 'rows'>): Row[] {
  return [...rows.values()].filter(({ url }) => isFolder(url));
}

/** The folder whose keys may open the file: it lists the file, and nobody else can write to it. */
export function lendingFolder({ folder, isListed }: Row): Row | null {
  return folder !== null && isListed && folder.outcome.kind === 'read' ? folder : null;
}

/** Whether an entry names the file, or the folder that shares it. */
export function isNamed({ hasEntry, folder, isListed }: Row): boolean {
  if (hasEntry || folder === null) return hasEntry;
  return folder.hasEntry && (isListed || folder.known !== null);
}

/**
 * Whether its owner revoked it and removed its entry, or deleted it from the folder that shares it. Then no warning is
 * due.
 */
export function isTakenBack(row: Row): boolean {
  const { hasEntry, isListed, folder, outcome } = row;
  const isGone = !hasEntry && !isListed && folder?.outcome.kind === 'read';
  return hasEnded(outcome) && (isGone || !isNamed(row));
}

/** The key that opened a file that counts. */
export function keyOf({ outcome }: Row): Buffer | null {
  return outcome.kind === 'read' ? outcome.key : null;
}

/**
 * The outcome that decides whether a row is remembered. A file that only the key of its folder opened shares the fate of
 * the folder while nothing opens it. In all else its own answer decides, as it would if somebody had copied the key into
 * an entry of the file.
 */
export function decidingOutcome({ folder, known, outcome }: Row): Outcome {
  if (folder === null || known === null || known.key !== null) return outcome;
  return isFor(outcome, 'no key') && folder.outcome.kind !== 'read' ? folder.outcome : outcome;
}

/**
 * Whether the Pod has figures of an earlier analysis that still stand: a withdrawal takes them with it. What is
 * remembered of a Pod with figures was once asked for in full; of any other Pod it can be a part.
 */
export function hasFigures({ known, rows }: Pick<Pod, 'known' | 'rows'>): boolean {
  if ((known?.figures ?? null) === null) return false;
  return ![...rows.values()].some((row) => row.known !== null && hasEnded(decidingOutcome(row)));
}

/**
 * Whether time ran out for something that the Pod cannot count without. A Pod with figures is judged by what is
 * remembered of it, since anybody can name new addresses in somebody's Pod. Without figures, everything has to be asked
 * for in one analysis: otherwise a part of the Pod would pass for the whole.
 */
export function isUnfinished(pod: Pick<Pod, 'known' | 'rows'>): boolean {
  const late = [...pod.rows.values()].filter(({ outcome }) => isFor(outcome, 'not asked'));
  return late.length > 0 && (!hasFigures(pod) || late.some((row) => row.known !== null));
}
