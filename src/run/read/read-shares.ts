import { mapConcurrently } from '../../base/concurrency.js';
import { groupBy } from '../../base/lists.js';
import type { OpenValues } from '../../pod/inbox/entry-opener.js';
import type { PodAccess } from '../connection.js';
import { PodAsker, withinTime } from './ask-pod.js';
import { listFolder } from './list-folder.js';
import { keepOnePodForEachKey, type SliceOfPod } from './one-pod-per-key.js';
import { podReading } from './pod-reading.js';
import { type Phase, PodShares } from './pod-shares.js';
import type { SharedFolder } from './proof-of-share.js';
import { FilesReader, triesOf } from './read-files.js';
import type { AskingRules, PodReading, PodToRead, ReadSlices, ReadTask } from './read-task.js';

/** Step 4, in this process or through workers. Nothing after it knows which. */
export interface PodReader {
  /** Opens values of the inbox when there are many; null leaves it to this process. */
  readonly openValues: OpenValues | null;
  readShares(
    connection: PodAccess,
    pods: readonly PodToRead[],
    task: ReadTask,
  ): Promise<PodReading[]>;
}

export const localPodReader: PodReader = { openValues: null, readShares };

/** More than the client ever has in flight, so that one slow Pod keeps no other waiting. */
const FILES_AT_ONCE = 64;
/** The most asked of one other server at once. */
const MOST_ELSEWHERE = 16;

/** Each phase with the part of the time at which it ends. */
const phases: readonly (readonly [Phase, number])[] = [
  ['callers', 1 / 2],
  ['remembered', 1 / 2],
  ['new', 3 / 4],
  ['left over', 9 / 10],
];
/** What has to be read again, because a key turned out to be that of others. */
const AGAIN_UNTIL = 19 / 20;
const RETRIES_UNTIL = 1 / 4;
/** How often it is told how many files were read. */
const TELL_MS = 2_000;

/** One result for each Pod, in their order. `readSlices` reads the files; default: in this process. */
export async function readShares(
  connection: PodAccess,
  pods: readonly PodToRead[],
  task: ReadTask,
  readSlices?: ReadSlices,
): Promise<PodReading[]> {
  const stop = new AbortController();
  const signal = AbortSignal.any([task.signal, stop.signal]);
  const asker = new PodAsker(connection, signal);
  const files = new FilesReader(connection, { ...task, signal }, asker);
  const all = pods.map((pod) => new PodShares(pod, task.callers));
  const onProgress = createProgress(all.length, task);
  const tools = {
    connection,
    task,
    signal,
    asker,
    onProgress,
    readSlices: readSlices ?? files.readSlices,
  };
  const servers = groupByServer(all, connection, task);
  const onEvery = (work: (server: Server) => Promise<void>) =>
    mapConcurrently(servers, servers.length, async (server) => {
      try {
        await work(server);
      } catch (error) {
        stop.abort(error);
        throw error;
      }
    });
  const telling = setInterval(() => {
    task.onFiles?.(
      sum(all, ({ filesDone }) => filesDone),
      sum(all, ({ files }) => files.size),
    );
  }, TELL_MS);
  try {
    await onEvery((server) => readServer(server, tools));
  } finally {
    clearInterval(telling);
  }
  const readAgain = (again: readonly SliceOfPod[]) =>
    onEvery(({ pods, within }) => {
      const slices = again.filter(({ shares }) => pods.includes(shares));
      return within(AGAIN_UNTIL, signal, (asking) => readInOrder(slices, asking, tools));
    });
  await keepOnePodForEachKey(all, readAgain);
  return all.map((shares) => podReading(shares, task));
}

/** What reads the files, and who is told. */
interface ReadingTools {
  connection: PodAccess;
  task: ReadTask;
  signal: AbortSignal;
  asker: PodAsker;
  readSlices: ReadSlices;
  onProgress: (shares: PodShares) => void;
}

/** The whole order of step 4, for the Pods of one server. */
async function readServer({ pods, within }: Server, tools: ReadingTools): Promise<void> {
  for (const [phase, until] of phases) {
    await within(until, tools.signal, async (asking) => {
      const folders = pods.flatMap((shares) =>
        shares.foldersDue(phase).map((folder) => ({ shares, folder })),
      );
      await mapConcurrently(folders, asking.atOnce, (folder) => list(folder, asking, tools));
      await readInOrder(interleaveSlices(pods, phase), asking, tools);
    });
  }
}

async function list(
  { shares, folder }: { shares: PodShares; folder: SharedFolder },
  asking: AskingRules,
  { connection: { client }, task, asker, onProgress }: ReadingTools,
): Promise<void> {
  const { root } = shares.owner;
  const { signal } = asking;
  const tries = triesOf(asking);
  const listing = await listFolder({ client, asker, root }, folder.share, { signal, tries });
  shares.addListing(folder, listing, task.wants);
  onProgress(shares);
}

/** One slice of each Pod, then the next of each. */
function interleaveSlices(pods: readonly PodShares[], phase: Phase): SliceOfPod[] {
  let waiting = pods
    .toSorted((one, other) => one.rank - other.rank)
    .map((shares) => ({ shares, slices: shares.slicesDue(phase) }));
  const ordered: SliceOfPod[] = [];
  for (let round = 0; waiting.length > 0; round += 1) {
    waiting = waiting.filter(({ slices }) => round < slices.length);
    for (const { shares, slices } of waiting) {
      const slice = slices[round];
      if (slice !== undefined) ordered.push({ shares, slice });
    }
  }
  return ordered;
}

function readInOrder(
  slices: readonly SliceOfPod[],
  asking: AskingRules,
  { readSlices, onProgress }: ReadingTools,
): Promise<void> {
  const podOf = new Map(slices.map(({ slice, shares }) => [slice, shares]));
  return readSlices([...podOf.keys()], asking, (slice, found) => {
    const shares = podOf.get(slice);
    if (shares === undefined) return;
    shares.record(slice, found);
    onProgress(shares);
  });
}

interface Server {
  pods: readonly PodShares[];
  /** Does something until this part of its time has gone. */
  within: (
    part: number,
    signal: AbortSignal,
    work: (asking: AskingRules) => Promise<void>,
  ) => Promise<void>;
}

/** Each server has its own time and its own requests, so that none waits for a slow one. */
function groupByServer(
  all: readonly PodShares[],
  { pod }: PodAccess,
  { callers, timeoutMs }: ReadTask,
): Server[] {
  const homeOrigin = new URL(pod.root).origin;
  const byOrigin = groupBy(all, ({ owner }) => new URL(owner.root).origin);
  const others = [...byOrigin.keys()].filter((origin) => origin !== homeOrigin).length;
  const elsewhere = Math.min(MOST_ELSEWHERE, Math.max(1, Math.floor(FILES_AT_ONCE / others)));
  const startedAt = Date.now();
  return [...byOrigin].map(([origin, pods]) => {
    const isHome = origin === homeOrigin;
    const isUnlimited = isHome && callers === null;
    const at = (part: number) =>
      isUnlimited ? Number.POSITIVE_INFINITY : startedAt + part * timeoutMs;
    return {
      pods,
      within: (part, signal, work) =>
        withinTime(at(part), signal, (limited) =>
          work({
            until: at(part),
            retriesUntil: at(RETRIES_UNTIL),
            signal: limited,
            atOnce: isHome ? FILES_AT_ONCE : elsewhere,
          }),
        ),
    };
  });
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
