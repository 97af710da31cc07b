import { latestReadings, MOST_DRAWN } from '../../analysis/reading.js';
import { workOff } from '../../base/concurrency.js';
import { groupBy } from '../../base/lists.js';
import { isFolder } from '../../pod/addresses.js';
import { isFor } from '../../pod/outcome.js';
import type { PodAccess } from '../pod-access.js';
import { judgeRows } from '../table/judge-rows.js';
import {
  type Answer,
  type FileOutcome,
  type FolderOutcome,
  filesOf,
  isNamed,
  lendingFolder,
  type Pod,
  Row,
} from '../table/row.js';
import { PodAsker } from './ask-pod.js';
import { confirmRefusals } from './confirm-refusals.js';
import { type Deadline, endless, type ReadingTime, timeElsewhere } from './deadline.js';
import { listFolder } from './list-folder.js';
import { type PodReading, podReading } from './pod-reading.js';
import { FilesReader } from './read-files.js';
import type { Asking, FileToRead, PartReader, ReadTask } from './read-task.js';
import { type PodRow, ReadingOrder } from './reading-order.js';

/** Step 4, in this process or through workers. No later step knows which. */
export interface PodReader {
  readShares(connection: PodAccess, pods: readonly Pod[], task: ReadTask): Promise<PodReading[]>;
}

export const localPodReader: PodReader = { readShares };

/**
 * How many files are read at once from the Analyser's own server. The client never has as many in flight, so one slow
 * Pod does not hold up others.
 */
const AT_ONCE_OF_OWN_SERVER = 64;
/** How many files and folders, at most, are requested at once from another server. */
const MOST_ELSEWHERE = 16;
/** Stands for the origins of the Analyser's own server. */
const OWN_SERVER = 'own server';
/** How often progress is told. */
const TELL_MS = 2_000;

interface ReadingTools {
  connection: PodAccess;
  task: ReadTask;
  asker: PodAsker;
  reader: PartReader;
  /** How many readings are kept of each Pod, for its chart. */
  kept: Map<Pod, number>;
  progress: { read: number; all: number };
}

/** Fills in the rows of all Pods; returns what was read of each, in the same order. */
export async function readShares(
  connection: PodAccess,
  pods: readonly Pod[],
  task: ReadTask,
  given?: PartReader,
): Promise<PodReading[]> {
  const asker = new PodAsker();
  const reader = given ?? new FilesReader(connection, task, asker);
  const toAsk = pods.flatMap(filesOf).filter(({ outcome }) => isFor(outcome, 'not asked'));
  const progress = { read: 0, all: toAsk.length };
  const tools = { connection, task, asker, reader, kept: new Map<Pod, number>(), progress };
  const telling = setInterval(() => task.onFiles?.(progress.read, progress.all), TELL_MS);
  try {
    await readServers(pods, tools);
  } finally {
    clearInterval(telling);
  }
  judgeRows(pods);
  return pods.map((pod) => podReading(pod, task.rules));
}

/**
 * Reads from all servers side by side; the failure of one ends all. A Pod that was not read whole in time counts with its
 * last sums, if they still hold.
 */
async function readServers(pods: readonly Pod[], tools: ReadingTools): Promise<void> {
  const { connection, task } = tools;
  const failing = new AbortController();
  const orStop = (error: unknown) => {
    failing.abort(error);
    throw error;
  };
  const stop = AbortSignal.any([task.signal, failing.signal]);
  const time = {
    reading: task.time.reading.sooner(stop),
    confirming: task.time.confirming.sooner(stop),
  };
  const byServer = groupBy(pods, ({ owner: { root } }) =>
    isOnOwnServer(root, connection) ? OWN_SERVER : new URL(root).origin,
  );
  const own = readServer(byServer.get(OWN_SERVER) ?? [], tools, {
    // No caller waits for run-once, so it reads from the Analyser's own server without a limit.
    time: task.served === 'everybody' ? endless(stop) : time,
    atOnce: AT_ONCE_OF_OWN_SERVER,
    ownDocument: connection.pod.documents.encKeys,
  }).catch(orStop);
  byServer.delete(OWN_SERVER);
  const atOnce = Math.min(MOST_ELSEWHERE, Math.floor(AT_ONCE_OF_OWN_SERVER / byServer.size));
  const others = Array.from(byServer, ([origin, ofServer]) =>
    readServer(ofServer, tools, {
      time: timeElsewhere(time, own, task.patienceOf(origin)),
      atOnce: Math.max(1, atOnce),
      ownDocument: null,
    }).catch(orStop),
  );
  // Like Promise.all, except that a failure waits until nothing runs on.
  await Promise.allSettled([own, ...others]);
  await Promise.all([own, ...others]);
}

/** Whether a Pod lies on the same server as the Analyser's. */
function isOnOwnServer(root: string, { client, pod }: PodAccess): boolean {
  const { origin } = new URL(root);
  return origin === new URL(pod.root).origin || client.ownOrigins?.has(origin) === true;
}

interface ServerRules {
  time: ReadingTime;
  atOnce: number;
  /** A private document of the Analyser's own Pod, if the server is the Analyser's own; else null. */
  ownDocument: string | null;
}

async function readServer(
  pods: readonly Pod[],
  tools: ReadingTools,
  { time, atOnce, ownDocument }: ServerRules,
): Promise<void> {
  const { task, asker, connection, progress } = tools;
  const { client } = connection;
  const order = new ReadingOrder(pods, {
    isCaller: ({ owner }) => task.served !== 'everybody' && task.served.includes(owner.webId),
    orderOf: task.orderOf,
  });
  const isSilent = await readInOrder(order, tools, {
    asking: { deadline: time.reading, atOnce },
    onFile: () => {
      progress.read += 1;
    },
  });
  if (ownDocument !== null && isSilent) await requireAnswer(client, ownDocument, time.confirming);
  const again = { deadline: time.confirming, atOnce };
  await confirmRefusals(pods, {
    client,
    asker,
    ownDocument,
    readFiles: (items) => readFiles(items, tools, { asking: again }),
    deadline: time.confirming,
  });
  order.beginAgain(({ rows }) => [...rows.values()].filter(isSilentAndNew));
  await readInOrder(order, tools, { asking: again });
}

/**
 * Once silent, a new address is asked for again, when refusals are confirmed: otherwise a server that was busy for a
 * moment would let in the other new addresses of the Pod without it.
 */
function isSilentAndNew({ known, outcome }: Row): boolean {
  return known === null && isFor(outcome, 'silence');
}

/** Rejects when the storage server gives no answer about the Analyser's own Pod: then it has gone. */
async function requireAnswer(
  client: Pick<PodAccess['client'], 'request'>,
  url: string,
  deadline: Deadline,
): Promise<void> {
  try {
    await client.request(url, { signal: deadline.signal });
  } catch (error) {
    if (!deadline.isOver()) throw error;
  }
}

interface Reading {
  asking: Asking;
  /** Called for each file that was asked for. */
  onFile?: () => void;
}

/** Asks for everything in order. Returns whether what was asked for last gave no answer. */
async function readInOrder(
  order: ReadingOrder,
  tools: ReadingTools,
  reading: Reading,
): Promise<boolean> {
  const { reader, progress } = tools;
  const { deadline, atOnce } = reading.asking;
  const next = () => (deadline.isOver() ? null : order.next(reader.filesPerPart(progress.all)));
  let isSilent = false;
  await workOff(next, atOnce, async (items) => {
    const [first] = items;
    if (first === undefined || !isFolder(first.row.url)) {
      await readFiles(items, tools, reading);
    } else {
      await list(first, tools, deadline);
      order.listed(first);
    }
    const last = items.at(-1);
    if (last !== undefined) isSilent = isFor(last.row.outcome, 'silence');
  });
  return isSilent;
}

/** Adds rows for the files that the folder lists. */
async function list(
  { pod, row: folder }: PodRow,
  { connection: { client }, asker, task, progress }: ReadingTools,
  deadline: Deadline,
): Promise<void> {
  const { root } = pod.owner;
  const { files, ...answer } = await listFolder({ client, asker, root }, folder, deadline);
  note(folder, answer);
  for (const url of files) {
    const file = pod.rows.get(url);
    if (file?.folder === folder) file.isListed = true;
    // A file in a folder that others may write to needs a share of its own.
    else if (folder.outcome.kind === 'listed' && task.wants(url)) {
      pod.rows.set(url, new Row({ url, folder, isListed: true }));
      progress.all += 1;
    }
  }
}

async function readFiles(
  items: readonly PodRow[],
  { reader, kept }: ReadingTools,
  { asking, onFile }: Reading,
): Promise<void> {
  const answers = await reader.readPart(items.map(toRead), asking);
  for (const [index, { pod, row }] of items.entries()) {
    onFile?.();
    const answer = answers[index];
    if (answer !== undefined) note(row, answer);
    const count = (kept.get(pod) ?? 0) + (row.read?.readings.length ?? 0);
    kept.set(pod, count < 2 * MOST_DRAWN ? count : thinOut(pod));
  }
}

/** Time may run out before what was silent is asked for again: then it stays silent. */
function note(row: Row, answer: Answer<FileOutcome | FolderOutcome>): void {
  if (!isSilentAndNew(row) || !isFor(answer.outcome, 'not asked')) row.answered(answer);
}

/** The file with the keys, known by now, that may open it. Of a part, lists that are the same are sent to a worker once. */
function toRead({ pod: { owner }, row }: PodRow): FileToRead {
  const { url, keys, known } = row;
  const lending = lendingFolder(row);
  const folder = lending && { url: lending.url, keys: lending.keys };
  return { url, owner, keys, folder, isNamed: isNamed(row), isKnown: known !== null };
}

/**
 * Keeps only the latest readings of a Pod, as many as are drawn, so that a huge Pod does not fill the memory. Returns how
 * many are left.
 */
function thinOut(pod: Pod): number {
  const files = filesOf(pod);
  const latest = new Set(latestReadings(files.flatMap(({ read }) => read?.readings ?? [])));
  for (const file of files) file.keepReadings((reading) => latest.has(reading));
  return latest.size;
}
