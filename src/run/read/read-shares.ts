import { latestReadings, MOST_DRAWN } from '../../analysis/pod-aggregate.js';
import { groupBy } from '../../base/lists.js';
import { workOff } from '../../base/work-off.js';
import { isFolder } from '../../pod/resource-address.js';
import type { PodAccess } from '../pod-access.js';
import { judgeRows } from '../table/judge-rows.js';
import { filesOf, isNamed, lendingFolder, newRow, type Pod } from '../table/row.js';
import { PodAsker } from './ask-pod.js';
import { confirmRefusals } from './confirm-refusals.js';
import { listFolder } from './list-folder.js';
import { endingWith, isTimeUp, type ReadingTime, withPatience } from './patience.js';
import { type PodReading, podReading } from './pod-reading.js';
import { FilesReader } from './read-files.js';
import type { AskingRules, FileToRead, PartReader, ReadTask } from './read-task.js';
import { type Item, ReadingOrder } from './reading-order.js';

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
  const stop = new AbortController();
  const signal = AbortSignal.any([task.signal, stop.signal]);
  const asker = new PodAsker(connection, signal);
  const reader = given ?? new FilesReader(connection, { ...task, signal }, asker);
  const all = pods.reduce((sum, pod) => sum + filesOf(pod).length, 0);
  const kept = new Map<Pod, number>();
  const tools = { connection, task, asker, reader, kept, progress: { read: 0, all } };
  const { progress } = tools;
  const telling = setInterval(() => task.onFiles?.(progress.read, progress.all), TELL_MS);
  const orStop = (error: unknown) => {
    stop.abort(error);
    throw error;
  };
  try {
    await readServers(pods, tools, signal, orStop);
  } finally {
    clearInterval(telling);
  }
  judgeRows(pods);
  return pods.map((pod) => podReading(pod, task.rules));
}

/**
 * Reads from all servers side by side. A Pod that was not read whole in time counts with its last figures, if they are
 * still valid.
 */
async function readServers(
  pods: readonly Pod[],
  tools: ReadingTools,
  signal: AbortSignal,
  orStop: (error: unknown) => never,
): Promise<void> {
  const { asker, connection, task } = tools;
  const byServer = groupBy(pods, ({ owner: { root } }) =>
    asker.isOnOwnServer(root) ? OWN_SERVER : new URL(root).origin,
  );
  const time = {
    reading: endingWith(task.time.reading, signal),
    confirming: endingWith(task.time.confirming, signal),
  };
  // No caller waits for run-once, so it reads from the Analyser's own server without a limit.
  const endless = { until: Number.POSITIVE_INFINITY, signal };
  const own = readServer(byServer.get(OWN_SERVER) ?? [], tools, {
    time: task.callers === null ? { reading: endless, confirming: endless } : time,
    atOnce: AT_ONCE_OF_OWN_SERVER,
    ownDocument: connection.pod.documents.encKeys,
  }).catch(orStop);
  byServer.delete(OWN_SERVER);
  const atOnce = Math.min(MOST_ELSEWHERE, Math.floor(AT_ONCE_OF_OWN_SERVER / byServer.size));
  const others = withPatience(own, time, async (patiently) => {
    const rules = { time: patiently, atOnce: Math.max(1, atOnce), ownDocument: null };
    const servers = Array.from(byServer.values(), (of) =>
      readServer(of, tools, rules).catch(orStop),
    );
    await allEnded(servers);
  });
  await allEnded([own, others]);
}

/** Like Promise.all, except that a failure waits until nothing runs on. */
async function allEnded(work: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
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
  { time: { reading, confirming }, atOnce, ownDocument }: ServerRules,
): Promise<void> {
  const { reader, task, asker, connection, progress } = tools;
  const order = new ReadingOrder(pods, {
    isCaller: ({ owner }) => task.callers?.includes(owner.webId) === true,
    orderOf: task.orderOf,
  });
  const asking = { ...reading, atOnce };
  const next = () =>
    isTimeUp(reading.signal) ? null : order.next(reader.filesPerPart(progress.all));
  await workOff(next, atOnce, async (items) => {
    const [first] = items;
    if (first === undefined || !isFolder(first.row.url)) {
      await readFiles(items, asking, tools);
    } else {
      await list(first, asking, tools);
      order.listed(first);
    }
  });
  const again = { ...confirming, atOnce };
  await confirmRefusals(
    pods,
    {
      ...{ client: connection.client, asker, ownDocument },
      readFiles: (items) => readFiles(items, again, tools),
    },
    again,
  );
}

/** Adds rows for the files that the folder lists. */
async function list(
  { pod, row: folder }: Item,
  { signal }: AskingRules,
  { connection: { client }, asker, task, progress }: ReadingTools,
): Promise<void> {
  const { root } = pod.owner;
  const { files, ...listing } = await listFolder({ client, asker, root }, folder, signal);
  Object.assign(folder, listing);
  for (const url of files) {
    const file = pod.rows.get(url);
    if (file?.folder === folder) file.isListed = true;
    // A file in a folder that others may write to needs a share of its own.
    else if (folder.outcome.kind === 'read' && task.wants(url)) {
      pod.rows.set(url, newRow({ url, folder, isListed: true }));
      progress.all += 1;
    }
  }
}

async function readFiles(
  items: readonly Item[],
  asking: AskingRules,
  { reader, kept, progress }: ReadingTools,
): Promise<void> {
  const readings = await reader.readPart(items.map(toRead), asking);
  for (const [index, { pod, row }] of items.entries()) {
    progress.read += 1;
    const reading = readings[index];
    if (reading === undefined) continue;
    // Also when the file is read again.
    Object.assign(row, reading);
    const count = (kept.get(pod) ?? 0) + reading.readings.length;
    kept.set(pod, count < 2 * MOST_DRAWN ? count : thinOut(pod));
  }
}

/** The file with the keys, known by now, that may open it. Of a part, lists that are the same are sent to a worker once. */
function toRead({ pod: { owner }, row }: Item): FileToRead {
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
  const latest = new Set(latestReadings(files.flatMap(({ readings }) => readings)));
  for (const file of files) file.readings = file.readings.filter((each) => latest.has(each));
  return latest.size;
}
