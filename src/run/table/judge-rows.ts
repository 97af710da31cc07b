import { getOrAdd } from '../../base/lists.js';
import { parentFolder } from '../../pod/addresses.js';
import { copiedBy, foreignKey, isFor, notRead, notYet } from '../../pod/outcome.js';
import { hasEarlierSums } from './fate.js';
import { filesOf, foldersOf, keyOf, type Pod, type Row } from './row.js';

const unlisted = notRead(
  'unproven',
  'it is not encrypted, and the shared folder around it does not list it as a file of readings',
);
const copied = notRead(
  'writable',
  'others may write to its folder, and its key opens another file there',
);

const plain = notRead('writable', 'it is not encrypted, and others may write to its folder');

/**
 * The end of step 4, once everything was read. Rejects files that perhaps somebody else than the owner shared: an entry of
 * the inbox does not prove a share, because anybody can add an entry with a key copied from another entry. Keys that
 * opened files of several Pods are judged after these: by then, some copies were rejected for a reason in their own Pod,
 * and so cast no doubt on the original. At last, new files that would be a part of their Pod have to wait.
 */
export function judgeRows(pods: readonly Pod[]): void {
  for (const pod of pods) {
    const files = filesOf(pod);
    judgeForeignKeys(files);
    if (foldersOf(pod).length > 0) {
      const concerns = concerning(pod);
      judgePlainFiles(pod, files, concerns);
      judgeInnerFiles(pod, files, concerns);
      judgeWritableFolders(files, concerns);
    }
  }
  judgeCopiedKeys(pods);
  for (const pod of pods) judgeNewRows(pod);
}

/**
 * Files that no key of their own opened, and for which keys of other Pods were given: perhaps their owner has moved.
 * Nothing changes for a file that was read before, by itself or through its folder.
 */
function judgeForeignKeys(files: readonly Row[]): void {
  for (const file of files) {
    const { outcome, keys, folder } = file;
    const isShut = isFor(outcome, 'no key') || (isFor(outcome, 'writable') && keys.length === 0);
    if (!isShut || wasReadBefore(file)) continue;
    const isGiven = file.foreign.size > 0 || (file.isListed && (folder?.foreign.size ?? 0) > 0);
    if (isGiven) file.reject(foreignKey);
  }
}

/** Whether the file, or the folder that shares it, was read in an earlier analysis. */
function wasReadBefore({ known, folder }: Row): boolean {
  return known !== null || (folder !== null && folder.known !== null);
}

/**
 * Rejects plain files that lie below a shared folder but are not in its listing. Perhaps nobody shared them: the
 * rules of access of a folder can also open everything below it.
 */
function judgePlainFiles(pod: Pod, files: readonly Row[], concerns: Concerns): void {
  for (const file of files) {
    if (file.read === null || file.read.key !== null) continue;
    const direct = file.folder === null || file.isListed ? [] : [file.folder];
    const around = [...direct, ...foldersAround(file, pod)];
    if (around.some((outer) => concerns(outer, file) && isShared(outer))) file.reject(unlisted);
  }
}

/** Whether a folder around a file is considered when the file is judged: perhaps its owner shared only the folder. */
type Concerns = (folder: Row, file: Row) => boolean;

/**
 * Anybody can name folders in the inbox, and a folder that everybody may list is then remembered. So for a file that was
 * read before, by itself or through its folder, only folders are considered that were read no later than it.
 */
function concerning({ known }: Pod): Concerns {
  const ages = new Map(Array.from(known?.shares.keys() ?? [], (url, index) => [url, index]));
  const ageOf = ({ url, folder }: Row): number =>
    ages.get(url) ?? (folder === null ? Number.POSITIVE_INFINITY : ageOf(folder));
  return (folder, file) => ageOf(folder) <= ageOf(file);
}

/**
 * Whether its owner has certainly shared the folder: it was read before, or the Analyser may list it although it is not
 * open to everybody.
 */
function isShared({ known, outcome, openTo }: Row): boolean {
  const isGiven = outcome.kind === 'listed' || isFor(outcome, 'writable');
  return known !== null || (isGiven && openTo !== 'everybody');
}

/** Whether its owner has perhaps shared the folder: it was read before, or the server did not refuse it. */
function mayBeShared({ known, outcome }: Row): boolean {
  return known !== null || !isFor(outcome, 'refused');
}

/**
 * Rejects files in the subfolders of a shared folder if the key of this folder opened them. Anybody can copy the
 * sealed key of the folder from the inbox into an entry for such a file.
 */
function judgeInnerFiles(pod: Pod, files: readonly Row[], concerns: Concerns): void {
  const opened = new Set(files.map((file) => `${parentFolder(file.url)} ${keyText(keyOf(file))}`));
  for (const file of files) {
    const key = keyOf(file);
    if (key === null) continue;
    const isFromOutside = foldersAround(file, pod).some(
      (outer) =>
        concerns(outer, file) &&
        mayBeShared(outer) &&
        (opened.has(`${outer.url} ${keyText(key)}`) || outer.known?.key?.equals(key) === true),
    );
    if (isFromOutside) file.reject({ ...foreignKey, key });
  }
}

/**
 * In a folder that others may write to, a key counts for only one of the files that it opened, one that was read before
 * by itself if there is any. A new plain file there can be anybody's.
 */
function judgeWritableFolders(files: readonly Row[], concerns: Concerns): void {
  const taken = new Set<string>();
  const isOwn = ({ known }: Row) => known !== null && known.key !== null;
  for (const file of [...files.filter(isOwn), ...files.filter((one) => !isOwn(one))]) {
    const { read, folder, known } = file;
    if (read === null || folder === null || !isFor(folder.outcome, 'writable')) continue;
    if (read.key === null) {
      if (known === null) file.reject(plain);
      continue;
    }
    if (taken.has(keyText(read.key)) && concerns(folder, file)) file.reject(copied);
    taken.add(keyText(read.key));
  }
}

/**
 * A key that opened files of two Pods was copied. Nobody can tell which Pod has the copy, so the files that this key
 * opens count in neither Pod.
 */
function judgeCopiedKeys(pods: readonly Pod[]): void {
  const opened = pods.flatMap((pod) =>
    filesOf(pod).flatMap((file) => {
      const key = keyOf(file);
      return key === null ? [] : [{ pod, file, key }];
    }),
  );
  const podsOf = new Map<string, Set<Pod>>();
  for (const { pod, key } of opened) {
    getOrAdd(podsOf, keyText(key), () => new Set()).add(pod);
  }
  for (const { file, key } of opened) {
    if ((podsOf.get(keyText(key))?.size ?? 0) > 1) file.reject(copiedBy(key));
  }
}

/**
 * New addresses of a Pod with earlier sums come in all together. If there was no time for one of them, none counts and
 * none is remembered: otherwise whoever adds addresses without end could choose which come first.
 */
function judgeNewRows(pod: Pod): void {
  if (!hasEarlierSums(pod)) return;
  const fresh = [...pod.rows.values()].filter(({ known }) => known === null);
  if (!fresh.some(({ outcome }) => isFor(outcome, 'not asked'))) return;
  for (const row of fresh) if (row.outcome.kind !== 'not read') row.reject(notYet(keyOf(row)));
}

/** The shared folders further out than the one that holds the file. */
function foldersAround({ url }: Row, { owner, rows }: Pod): Row[] {
  const found: Row[] = [];
  let outer = parentFolder(url);
  while (outer.length > owner.root.length) {
    outer = parentFolder(outer);
    const shared = rows.get(outer);
    if (shared !== undefined) found.push(shared);
  }
  return found;
}

function keyText(key: Buffer | null): string {
  return key?.toString('latin1') ?? '';
}
