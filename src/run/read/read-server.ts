import { latestReadings, MOST_DRAWN } from '../../analysis/reading.js';
import { workOff } from '../../base/concurrency.js';
import { groupBy, present } from '../../base/lists.js';
import { isFolder } from '../../pod/addresses.js';
import { isFor, notAsked, perhapsRefused } from '../../pod/outcome.js';
import type { PodAccess } from '../../pod/unlock-pod.js';
import { isCaller, type Served, serves } from '../assignment.js';
import { limits } from '../limits.js';
import { isNotAsked, isSilent } from '../table/fate.js';
import {
  addFolderOf,
  askedOf,
  type FileOutcome,
  type Folder,
  isNamed,
  lendingFolder,
  type Pod,
  Row,
} from '../table/row.js';
import { askForAnalyserDocument, type PodAsker } from './ask-pod.js';
import { confirmRefusals } from './confirm-refusals.js';
import type { AskingTime } from './deadline.js';
import { listFolder } from './list-folder.js';
import type { Asking, AskingFiles, FileToRead, PartReader, ReadTask } from './read-task.js';
import { type Item, type PodFolder, type PodRow, ReadingOrder } from './reading-order.js';

/** How many files were asked for, and how many there are to ask for. */
interface Progress {
  read: number;
  all: number;
}

export interface ServerTools {
  connection: PodAccess;
  task: ReadTask;
  asker: PodAsker;
  reader: PartReader;
  /** How many readings are kept of each Pod, for its chart. */
  kept: Map<Pod, number>;
  progress: Progress;
}

interface ServerLimits {
  time: AskingTime;
  /** How long a request may be on the wire without an answer; undefined for as long as the client waits. */
  patienceMs?: number;
  atOnce: number;
  /** A private document of the Analyser's own Pod, if the server is the Analyser's own; else null. */
  analyserDocument: string | null;
}

/** Confirms what the server refused. At last asks a second time for folders and new files that gave no answer. */
export async function readServer(
  pods: readonly Pod[],
  tools: ServerTools,
  { time, patienceMs, atOnce, analyserDocument }: ServerLimits,
): Promise<void> {
  const { task, asker, connection, progress } = tools;
  const { client } = connection;
  const ofOrder = {
    isCaller: ({ owner }: Pod) => isCaller(task.served, owner.webId),
    orderOf: task.orderOf,
    atOnceOfPod: Math.max(1, Math.min(limits.podAtOnce, Math.floor(atOnce / 4))),
  };
  const first = { deadline: time.reading, patienceMs, atOnce };
  const again = { deadline: time.confirming, patienceMs, atOnce };
  const confirm = (pod: Pod, rows: readonly Row[]) =>
    confirmRefusals(pod, rows, {
      client,
      asker,
      analyserDocument,
      readFiles: (files) =>
        read(
          files.map((row) => ({ pod, row })),
          { ...again, atOnce: ofOrder.atOnceOfPod, isAgain: true },
          tools,
        ),
      note: (row, outcome) => note({ pod, row }, outcome, tools),
      asking: again,
    });
  await readInOrder(new ReadingOrder(pods, ofOrder), { ...first, confirm, progress }, tools);
  // Whatever it answers: if the Analyser's own server has gone, this throws, and the analysis ends here.
  if (analyserDocument !== null && pods.some((pod) => askedOf(pod).some(isSilent)))
    await askForAnalyserDocument(client, analyserDocument, time.confirming);
  const secondOrder = new ReadingOrder(pods, ofOrder, (pod) => askedOf(pod).filter(isAskedAgain));
  // What is asked for a second time is no progress.
  const unseen = { ...progress };
  await readInOrder(secondOrder, { ...again, confirm, progress: unseen }, tools);
}

/**
 * Once silent, a new file or a folder is asked for again, when refusals are confirmed: otherwise a server that was busy for
 * a moment would let in the other new files of the Pod without it. So is a remembered folder that was refused: others could
 * pass for files of it that were shared by themselves.
 */
function isAskedAgain(asked: Row | Folder): boolean {
  const { known, outcome, url } = asked;
  if (!isFolder(url)) return known === null && isSilent(asked);
  return isSilent(asked) || (known !== null && isFor(outcome, 'refused'));
}

interface InOrder extends AskingFiles {
  confirm: (pod: Pod, rows: readonly Row[]) => Promise<void>;
  progress: Progress;
}

async function readInOrder(
  order: ReadingOrder,
  { confirm, progress, ...asking }: InOrder,
  tools: ServerTools,
): Promise<void> {
  const { deadline, patienceMs, atOnce } = asking;
  const newcomersWaitMs = limits.newcomersWaitFraction * (patienceMs ?? Number.POSITIVE_INFINITY);
  const newcomersWait = deadline.sooner();
  // Null: nothing now. It is asked again when something was done, or when newcomers need not wait any longer. A Cancel
  // throws here, so nothing new is begun.
  const next = () => {
    const mostFiles = tools.reader.filesPerPart(progress.all);
    if (deadline.isOverOrThrow()) {
      order.end();
      return order.nextRefusals();
    }
    const known = order.nextKnown(mostFiles);
    if (known !== null) return known;
    // Nothing known is left to ask for: newcomers wait for the refusals, from now on, but not for long.
    newcomersWait.endWithin(Math.min(limits.newcomersWaitMs, newcomersWaitMs));
    if (order.isConfirming && !newcomersWait.isOverOrThrow()) return null;
    return order.nextNewcomers(mostFiles);
  };
  const work = async (item: Item) => {
    if (item.kind === 'refusals') await confirm(item.pod, item.rows);
    else if (item.kind === 'folder') progress.all += await list(item, asking, tools);
    else {
      const outcomes = await read(item.rows, asking, tools);
      progress.read += item.rows.length;
      for (const [index, asked] of item.rows.entries()) {
        const { pod, row } = asked;
        const outcome = outcomes[index] ?? notAsked;
        // A refusal ends a share, so it has to be confirmed first.
        const isToConfirm = row.known !== null && isFor(outcome, 'refused');
        note(asked, isToConfirm ? perhapsRefused : outcome, tools);
        order.add(pod, present([addFolderOf(pod, row)]));
      }
    }
    order.done(item);
  };
  try {
    await workOff(next, atOnce, work, newcomersWait.signal);
  } finally {
    newcomersWait.clear();
  }
}

/** Lists a folder. Adds rows for the files that were not in the table; returns how many. */
async function list(
  { pod, folder }: PodFolder,
  asking: Asking,
  { connection: { client }, asker, task }: ServerTools,
): Promise<number> {
  const { root } = pod.owner;
  const { files, outcome, openTo } = await listFolder({ client, asker, root }, folder, asking);
  if (isNews(folder, outcome)) Object.assign(folder, { outcome, openTo });
  let added = 0;
  for (const url of files) {
    const file = pod.rows.get(url);
    if (file !== undefined) file.listedBy(folder);
    // A file in a folder that others may write to, or that is not shared, needs a share of its own.
    else if (outcome.kind === 'listed' && folder.isNamed && task.isData(url)) {
      // It enters itself among the files of its folder.
      pod.rows.set(url, new Row({ url, folder, isListed: true }));
      added += 1;
    }
  }
  return added;
}

async function read(
  rows: readonly PodRow[],
  asking: AskingFiles,
  { reader, task: { served } }: ServerTools,
): Promise<FileOutcome[]> {
  const files = rows.map((row) => toRead(row, served));
  return await reader.readPart(files, asking);
}

function note({ pod, row }: PodRow, outcome: FileOutcome, { kept }: ServerTools): void {
  if (isNews(row, outcome)) row.outcome = outcome;
  const count = (kept.get(pod) ?? 0) + (row.read?.readings.length ?? 0);
  kept.set(pod, count < 3 * MOST_DRAWN ? count : thinOut(pod));
}

/** Time may run out before something is asked for again: then the first answer holds. */
function isNews(asked: Row | Folder, outcome: Row['outcome'] | Folder['outcome']): boolean {
  return isNotAsked(asked) || !isFor(outcome, 'not asked');
}

function toRead({ pod: { owner }, row }: PodRow, served: Served): FileToRead {
  const { url, keys, known } = row;
  const lending = lendingFolder(row);
  const folder = lending && { url: lending.url, keys: lending.keys };
  const isServed = serves(served, owner.webId);
  return { url, owner, keys, folder, isNamed: isNamed(row), isKnown: known !== null, isServed };
}

/**
 * Keeps only the latest readings of a Pod, as many as are drawn, so that a huge Pod does not fill the memory: so many of
 * known files, and so many of new ones, since perhaps no new file counts once all are judged. Returns how many are left.
 */
function thinOut(pod: Pod): number {
  let left = 0;
  for (const files of groupBy(pod.rows.values(), ({ known }) => known === null).values()) {
    const latest = new Set(latestReadings(files.flatMap(({ read }) => read?.readings ?? [])));
    for (const file of files) file.keepReadings((reading) => latest.has(reading));
    left += latest.size;
  }
  return left;
}
