import { groupBy } from '../base/lists.js';
import { causedByOthers, emptyAnswers, hasEnded, isFor, type Outcome } from '../pod/outcome.js';

/** What became of a share, a file or a whole folder, in one analysis. */
export type ShareFate =
  /** The key is null where nothing was encrypted. */
  | { kind: 'read'; key: Buffer | null }
  /** Its owner has put something there that does not count. */
  | { kind: 'empty' }
  /** Its owner has taken it back. */
  | { kind: 'ended' }
  | { kind: 'missing'; isCausedByOthers: boolean }
  | { kind: 'not asked' };

interface SeenFile {
  url: string;
  /** The shared folder that lists it, directly; null for a file with only its own share. */
  listedIn: string | null;
  outcome: Outcome;
  /** The shares whose entries brought the key that opened it. */
  provenShares: readonly string[];
}

interface SeenFolder {
  url: string;
  outcome: Outcome;
}

interface AskedShare {
  url: string;
  isRemembered: boolean;
  /** Of a remembered share the first key is the one that opened it. */
  keys: readonly Buffer[];
}

/** The fate of each share of a Pod by its address: that of a file, or of a folder as one share. */
export function fatesOfShares(
  shares: readonly AskedShare[],
  { files, folders }: { files: readonly SeenFile[]; folders: readonly SeenFolder[] },
): Map<string, ShareFate> {
  const byUrl = new Map(shares.map((share) => [share.url, share]));
  const filesByUrl = new Map(files.map((file) => [file.url, file]));
  const foldersByUrl = new Map(folders.map((folder) => [folder.url, folder]));
  const filesIn = groupBy(files, ({ listedIn }) => listedIn ?? '');
  const fateOf = (share: AskedShare): ShareFate => {
    const { url } = share;
    const folder = foldersByUrl.get(url);
    if (folder !== undefined) return fateOfFolder(folder, share, filesIn.get(url) ?? []);
    const file = filesByUrl.get(url);
    if (file === undefined) return { kind: 'not asked' };
    return fateOfFile(file, share, byUrl.get(file.listedIn ?? '') ?? null);
  };
  return new Map(shares.map((share) => [share.url, fateOf(share)]));
}

/**
 * Anybody can add the key of a file to the entry of its folder, and the other way round. So a key that both entries
 * brought counts for the remembered share: that of the file, or that of the folder if it is remembered with this very
 * key. Where both are new, both are remembered.
 */
function fateOfFile(
  { url, outcome, listedIn, provenShares }: SeenFile,
  { isRemembered }: AskedShare,
  folder: AskedShare | null,
): ShareFate {
  if (outcome.kind === 'not read') return fateOfOutcome(outcome);
  const isOfFolder =
    listedIn !== null && provenShares.includes(listedIn) && isKnownKey(folder, outcome.key);
  const isOwn = provenShares.includes(url) && (isRemembered || !isOfFolder);
  return isOwn ? fateOfOutcome(outcome) : empty;
}

function isKnownKey(share: AskedShare | null, key: Buffer | null): boolean {
  if (share === null || !share.isRemembered) return false;
  return key === null || share.keys[0]?.equals(key) === true;
}

const empty: ShareFate = { kind: 'empty' };

/**
 * A folder that was listed is judged by its files; an open listing does not matter. A new folder is remembered for
 * the files that it gave, as new files are, even while its other files are waited for.
 */
function fateOfFolder(
  { outcome: listing }: SeenFolder,
  share: AskedShare,
  files: readonly SeenFile[],
): ShareFate {
  if (listing.kind === 'not read') return fateOfOutcome(listing);
  const outcomes = files.map(({ outcome }) => outcome);
  const isWaiting = (outcome: Outcome) =>
    isFor(outcome, 'silence') || isFor(outcome, 'uncertain') || isFor(outcome, 'not asked');
  const read = readOf(share, files);
  const waiting = outcomes.find(isWaiting);
  if (waiting !== undefined && (share.isRemembered || read === null)) {
    return fateOfOutcome(waiting);
  }
  if (read !== null) return read;
  if (outcomes.length > 0 && outcomes.every(hasEnded)) return { kind: 'ended' };
  return outcomes.map(fateOfOutcome).find(({ kind }) => kind === 'missing') ?? empty;
}

/**
 * A remembered share keeps its key. Among new keys, a key that opened a file without an entry of its own comes first.
 */
function readOf(share: AskedShare, files: readonly SeenFile[]): ShareFate | null {
  const proving = files.filter(({ provenShares }) => provenShares.includes(share.url));
  const alone = proving.filter(({ url, provenShares }) => !provenShares.includes(url));
  const keys = [...alone, ...proving].flatMap(({ outcome }) =>
    outcome.kind === 'read' ? (outcome.key ?? []) : [],
  );
  const key = keys.find((each) => isKnownKey(share, each)) ?? keys[0] ?? null;
  return proving.length === 0 ? null : { kind: 'read', key };
}

function fateOfOutcome(outcome: Outcome): ShareFate {
  if (outcome.kind === 'read') return outcome;
  const { because } = outcome;
  if (hasEnded(outcome)) return { kind: 'ended' };
  if (because === 'not asked') return { kind: 'not asked' };
  if (emptyAnswers.has(because)) return empty;
  return { kind: 'missing', isCausedByOthers: causedByOthers.has(because) };
}
