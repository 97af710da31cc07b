import { groupBy } from '../../base/lists.js';
import { workOff } from '../../base/work-off.js';
import type { PodAccess } from '../connection.js';
import { isTimeUp, PodAsker, withinTime } from './ask-pod.js';
import { confirmRefusals } from './confirm-refusals.js';
import { listFolder } from './list-folder.js';
import { Patience } from './patience.js';
import { podReading } from './pod-reading.js';
import { PodShares } from './pod-shares.js';
import { judgeShares } from './proof-of-share.js';
import { FilesReader } from './read-files.js';
import type { AskingRules, PartReader, PodReading, PodToRead, ReadTask } from './read-task.js';
import { type FilesPiece, type Piece, ServerQueue } from './server-queue.js';

/** Step 4, in this process or through workers. No later step knows which. */
export interface PodReader {
  readShares(
    connection: PodAccess,
    pods: readonly PodToRead[],
    task: ReadTask,
  ): Promise<PodReading[]>;
}

export const localPodReader: PodReader = { readShares };

/**
 * How many files are read at once from the Analyser's own server. The client never has as many in flight, so one slow
 * Pod does not hold up others.
 */
const FILES_AT_ONCE = 64;
/** How many files and folders, at most, are requested at once from a server other than the Analyser's own. */
const MOST_ELSEWHERE = 16;

/** Reading ends after this part of the time, because the later steps need the rest. */
const READING_PART = 9 / 10;
/**
 * Refused files are asked for again until this part of the time is over. Otherwise a Pod that revoked a file would
 * count with its earlier figures.
 */
const CONFIRMING_PART = 19 / 20;
/** Stands for the origins of the Analyser's own server. */
const HOME = 'home';
/** How often progress is told. */
const TELL_MS = 2_000;

/** Returns one result for each Pod, in the same order. `reader` reads the files; default: in this process. */
export async function readShares(
  connection: PodAccess,
  pods: readonly PodToRead[],
  task: ReadTask,
  reader?: PartReader,
): Promise<PodReading[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([task.signal, stop.signal]);
  const asker = new PodAsker(connection, signal);
  const all = pods.map((pod) => new PodShares(pod, task.callers));
  const tools = {
    connection,
    task,
    asker,
    reader: reader ?? new FilesReader(connection, { ...task, signal }, asker),
    files: () => sum(all, ({ files }) => files.size),
    onProgress: createProgress(all.length, task),
    stop: (error: unknown) => stop.abort(error),
  };
  const telling = setInterval(() => {
    task.onFiles?.(
      sum(all, ({ filesDone }) => filesDone),
      tools.files(),
    );
  }, TELL_MS);
  try {
    await readServers(all, tools, signal);
  } finally {
    clearInterval(telling);
  }
  judgeShares(all);
  return all.map((shares) => podReading(shares, task));
}

interface ReadingTools {
  connection: PodAccess;
  task: ReadTask;
  asker: PodAsker;
  reader: PartReader;
  /** How many files are known by now. */
  files: () => number;
  onProgress: (shares: PodShares) => void;
  /** Ends the reading from all servers. */
  stop: (error: unknown) => void;
}

/**
 * Reads from all servers side by side. Other servers than the Analyser's own get as long as the Analyser's own takes,
 * and at least ten seconds. A Pod that was not read whole by then counts with its last figures, if they are still
 * valid.
 */
async function readServers(
  all: readonly PodShares[],
  tools: ReadingTools,
  signal: AbortSignal,
): Promise<void> {
  const { asker, connection, task } = tools;
  const byServer = groupBy(all, ({ owner: { root } }) =>
    asker.isHome(root) ? HOME : new URL(root).origin,
  );
  const atHome = byServer.get(HOME) ?? [];
  byServer.delete(HOME);
  const begin = (pods: readonly PodShares[], asking: ServerAsking) =>
    readAndConfirm(pods, asking, tools).catch((error: unknown) => {
      tools.stop(error);
      throw error;
    });
  const limits = timesFor(task);
  const home = begin(atHome, {
    // No caller waits for run-once, so it reads from the Analyser's own server without a limit.
    ...(task.callers === null ? noLimits : limits),
    reading: signal,
    confirming: signal,
    atOnce: FILES_AT_ONCE,
    ownDocument: connection.pod.documents.encKeys,
  });
  const patience = new Patience(home);
  const asking = {
    ...limits,
    reading: AbortSignal.any([signal, patience.reading]),
    confirming: AbortSignal.any([signal, patience.confirming]),
    atOnce: Math.max(1, Math.min(MOST_ELSEWHERE, Math.floor(FILES_AT_ONCE / byServer.size))),
    ownDocument: null,
  };
  const others = Array.from(byServer.values(), (pods) => begin(pods, asking));
  const servers = [home, ...others];
  try {
    await Promise.all(servers);
  } finally {
    await Promise.allSettled(servers);
    patience.end();
  }
}

/** When reading ends, and when asking again for refused files ends, by `performance.now()`. */
interface ReadingTimes {
  readUntil: number;
  confirmUntil: number;
}

const noLimits: ReadingTimes = {
  readUntil: Number.POSITIVE_INFINITY,
  confirmUntil: Number.POSITIVE_INFINITY,
};

function timesFor({ until }: ReadTask): ReadingTimes {
  const now = performance.now();
  const remaining = until - now;
  return {
    readUntil: now + READING_PART * remaining,
    confirmUntil: now + CONFIRMING_PART * remaining,
  };
}

/** How one server may be asked. If it is not the Analyser's own, both signals abort when its time is over. */
interface ServerAsking extends ReadingTimes {
  reading: AbortSignal;
  confirming: AbortSignal;
  atOnce: number;
  /** A private document of the Analyser's own Pod, if the server is the Analyser's own; else null. */
  ownDocument: string | null;
}

async function readAndConfirm(
  pods: readonly PodShares[],
  { readUntil, confirmUntil, reading, confirming, atOnce, ownDocument }: ServerAsking,
  tools: ReadingTools,
): Promise<void> {
  await withinTime(readUntil, reading, (signal) =>
    readServer(pods, { until: readUntil, signal, atOnce }, tools),
  );
  await withinTime(confirmUntil, confirming, (signal) =>
    confirm(pods, ownDocument, { until: confirmUntil, signal, atOnce }, tools),
  );
}

async function readServer(
  pods: readonly PodShares[],
  asking: AskingRules,
  tools: ReadingTools,
): Promise<void> {
  const { reader, files, stop } = tools;
  const queue = new ServerQueue(pods);
  const next = () => (isTimeUp(asking.signal) ? null : queue.next(reader.filesPerPart(files())));
  const read = (piece: Piece) =>
    readPiece(piece, asking, tools).catch((error: unknown) => {
      // Stops the reading at once, because `workOff` waits for the pieces in hand.
      stop(error);
      throw error;
    });
  await workOff(next, asking.atOnce, read);
}

async function confirm(
  pods: readonly PodShares[],
  ownDocument: string | null,
  asking: AskingRules,
  tools: ReadingTools,
): Promise<void> {
  const { asker, connection } = tools;
  const { client } = connection;
  const readFiles = (ofPods: FilesPiece['ofPods']) =>
    readPiece({ kind: 'files', ofPods }, asking, tools);
  await confirmRefusals(pods, { client, asker, ownDocument, readFiles }, asking);
}

async function readPiece(
  piece: Piece,
  asking: AskingRules,
  { connection: { client }, task, asker, reader, onProgress }: ReadingTools,
): Promise<void> {
  if (piece.kind === 'folder') {
    const { pod, folder } = piece;
    const { root } = pod.owner;
    const listing = await listFolder({ client, asker, root }, folder.share, asking.signal);
    pod.addListing(folder, listing, task.wants);
    onProgress(pod);
    return;
  }
  const part = piece.ofPods.map(({ pod, files }) => pod.toRead(files));
  const readings = await reader.readPart(part, asking);
  for (const [index, { pod, files }] of piece.ofPods.entries()) {
    for (const [place, file] of files.entries()) {
      const reading = readings[index]?.[place];
      if (reading !== undefined) pod.record(file, reading);
    }
    onProgress(pod);
  }
}

/** Counts each Pod once, when all of its shares have been asked for. */
function createProgress(all: number, { onPod }: ReadTask): (shares: PodShares) => void {
  const done = new Set<PodShares>();
  return (shares) => {
    if (!shares.isDone || done.has(shares)) return;
    done.add(shares);
    onPod?.(done.size, all);
  };
}

function sum(all: readonly PodShares[], count: (shares: PodShares) => number): number {
  return all.reduce((total, shares) => total + count(shares), 0);
}
