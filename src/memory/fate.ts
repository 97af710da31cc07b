import { groupBy } from '../base/lists.js';
import type { OpenTo } from '../pod/public-access.js';

/** What became of a file, of a shared folder, or of a whole share in one analysis. */
export type Fate =
  /**
   * A file that counted; a folder that was listed. `key` is the one that opened the file, null
   * where nothing is encrypted; `folder` is the shared folder that the key belongs to, null for a
   * key shared for the file itself.
   */
  | { kind: 'read'; key: Buffer | null; folder: string | null }
  /**
   * `refusal`: 403, 404 or 410. `key`: the encrypted file does not open with any key given for it.
   * `public`: everybody may read it and no entry speaks of it.
   */
  | { kind: 'ended'; by: 'refusal' | 'key' | 'public' }
  /**
   * `silence`: no answer. `plain`: its owner shares it with everybody, in plaintext. `cipher`: it is
   * encrypted in an unknown way. `size`: it is too large. `answer`: any other one. `others`: left out
   * because of others, such as a key that belongs to another Pod, or a bound; `key` is then the one
   * that opened it all the same.
   */
  | {
      kind: 'missing';
      because: 'silence' | 'plain' | 'cipher' | 'size' | 'answer' | 'others';
      key?: Buffer;
    }
  /** There was no time to ask. */
  | { kind: 'not asked' }
  /** Left out by the operator's configuration. */
  | { kind: 'set aside' };

/** One file that is shared, by itself or by the folder that lists it. */
export interface FileFate {
  /** Canonical. */
  url: string;
  /** The shared folder that lists it, directly; null for a file with only its own share. */
  listedIn: string | null;
  fate: Fate;
  openTo: OpenTo;
}

/** A shared folder: `read` when it could be listed. */
export interface FolderFate {
  url: string;
  fate: Fate;
  openTo: OpenTo;
}

/** What was seen of one Pod in step 4. */
interface SeenPod {
  files: readonly FileFate[];
  folders: readonly FolderFate[];
}

/** So many files, of so many Pods, are no accident where a server does not say who may read. */
const FILES_ENOUGH = 3;
const PODS_ENOUGH = 2;

/**
 * The origins of servers that have accepted our login: what they refuse is refused to us. One that
 * accepts no login refuses everything. `home` has given the Analyser's own private document.
 */
export function acceptingServers(pods: readonly SeenPod[], home: string): Set<string> {
  const accepting = new Set([home]);
  const readers = new Map<string, { files: number; pods: Set<SeenPod> }>();
  for (const pod of pods) {
    for (const { url, fate, openTo } of [...pod.files, ...pod.folders]) {
      const { origin } = new URL(url);
      if (openTo === 'some') accepting.add(origin);
      if (openTo !== 'unknown' || fate.kind !== 'read') continue;
      const read = readers.get(origin) ?? { files: 0, pods: new Set() };
      read.files += 1;
      read.pods.add(pod);
      readers.set(origin, read);
    }
  }
  for (const [origin, read] of readers) {
    if (read.files >= FILES_ENOUGH && read.pods.size >= PODS_ENOUGH) accepting.add(origin);
  }
  return accepting;
}

/** The fate of each share of a Pod by its address: that of a file, or of a folder as one share. */
export function fatesOfShares(
  urls: Iterable<string>,
  { files, folders }: SeenPod,
  accepting: ReadonlySet<string>,
): Map<string, Fate> {
  const byUrl = new Map(files.map((file) => [file.url, file.fate]));
  const byFolder = groupBy(files, ({ listedIn }) => listedIn ?? '');
  const fates = new Map<string, Fate>();
  for (const folder of folders) {
    fates.set(folder.url, fateOfFolder(folder, byFolder.get(folder.url) ?? []));
  }
  const fateOf = (url: string): Fate => {
    const fate = fates.get(url) ?? byUrl.get(url) ?? { kind: 'not asked' };
    const isRefusal = fate.kind === 'ended' && fate.by === 'refusal';
    if (!isRefusal || accepting.has(new URL(url).origin)) return fate;
    return { kind: 'missing', because: 'answer' };
  };
  return new Map(Array.from(urls, (url) => [url, fateOf(url)]));
}

/** A folder that was listed is judged by the files in it. */
function fateOfFolder({ url, fate: listing }: FolderFate, files: readonly FileFate[]): Fate {
  if (listing.kind !== 'read') return listing;
  const fates = files.map(({ fate }) => fate);
  const isSilent = (fate: Fate) => fate.kind === 'missing' && fate.because === 'silence';
  const waiting = fates.find(isSilent) ?? fates.find(({ kind }) => kind === 'not asked');
  if (waiting !== undefined) return waiting;
  const byFolder = fates.filter(
    (fate) => fate.kind === 'read' && (fate.key === null || fate.folder === url),
  );
  const encrypted = byFolder.find((fate) => fate.kind === 'read' && fate.key !== null);
  const [read = null] = encrypted === undefined ? byFolder : [encrypted];
  if (read !== null) return read;
  // Files that open with keys of their own show that the key of the folder opens nothing.
  const isUnopened = (fate: Fate) =>
    fate.kind === 'read' || (fate.kind === 'ended' && fate.by === 'key');
  if (fates.some(isUnopened)) return { kind: 'ended', by: 'key' };
  const other = fates.find(({ kind }) => kind !== 'ended');
  return other ?? fates[0] ?? { kind: 'missing', because: 'answer' };
}
