import { groupBy } from '../base/lists.js';
import { causedByOthers, emptyAnswers, hasEnded, isFor, type Outcome } from '../pod/outcome.js';

/** The result of one analysis for a share, which is a file or a whole folder. */
export type ShareFate =
  /** The key is null where nothing was encrypted. */
  | { kind: 'read'; key: Buffer | null }
  /**
   * The address answered, but nothing there counts for this share. A remembered share stays and is not missing.
   */
  | { kind: 'empty' }
  /** The share was revoked; `endings` in outcome.ts lists the answers that show this. */
  | { kind: 'ended' }
  | { kind: 'missing'; isCausedByOthers: boolean }
  | { kind: 'not asked' }
  /** The configuration leaves it out, and it has no entry: it stays remembered, but the figures made with it go. */
  | { kind: 'set aside' };

interface SeenFile {
  url: string;
  /** The shared folder that directly contains the file; null for a file with only its own share. */
  listedIn: string | null;
  outcome: Outcome;
  /** The shares whose entries hold the key that opened the file. */
  provenShares: readonly string[];
}

interface SeenFolder {
  url: string;
  outcome: Outcome;
}

interface AskedShare {
  url: string;
  isRemembered: boolean;
  /** The key that opened the share before; null where there was none. */
  rememberedKey: Buffer | null;
}

/** Returns the fate of each share of a Pod, by address. A shared folder has one fate for all its files. */
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
 * The key of a file can stand in the file's own entry, in the entry of its folder, or in both: anybody can copy a key
 * from one entry into the other. If both entries hold the key, both shares count as read. Exception: the folder is
 * remembered with this very key, and the file's own share is not remembered. Then only the folder's share counts.
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
  return isOwn ? outcome : empty;
}

function isKnownKey(share: AskedShare | null, key: Buffer | null): boolean {
  if (share === null || !share.isRemembered) return false;
  return key === null || share.rememberedKey?.equals(key) === true;
}

const empty: ShareFate = { kind: 'empty' };

/**
 * Once its listing was read, a folder is judged by its files: the listing alone proves nothing, since it may be open to
 * everybody. A new folder is remembered as soon as one of its files was read, even while others gave no answer.
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
  if (waiting !== undefined && share.isRemembered) return fateOfOutcome(waiting);
  if (read !== null) return read;
  if (waiting !== undefined) return fateOfOutcome(waiting);
  if (outcomes.length > 0 && outcomes.every(hasEnded)) return { kind: 'ended' };
  return outcomes.map(fateOfOutcome).find(({ kind }) => kind === 'missing') ?? empty;
}

/**
 * A remembered share keeps its key if it opened a file again. Otherwise a key comes first if it opened a file whose own
 * entry does not hold this key, because such a key can only come from the folder's entry.
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
