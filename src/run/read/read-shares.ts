import { groupBy } from '../../base/lists.js';
import type { PodAccess } from '../../pod/unlock-pod.js';
import { limits } from '../limits.js';
import { admitFiles } from '../table/admit-files.js';
import { isNotAsked } from '../table/fate.js';
import { judgeRows } from '../table/judge-rows.js';
import { filesOf, type Pod } from '../table/row.js';
import { PodAsker } from './ask-pod.js';
import { endless, sooner } from './deadline.js';
import { type PodReading, podReading } from './pod-reading.js';
import { FilesReader } from './read-files.js';
import { readOthers } from './read-others.js';
import { readServer, type ServerTools } from './read-server.js';
import type { PartReader, PodReader, ReadTask } from './read-task.js';
import { noteSilence } from './silent-pods.js';

export const localPodReader: PodReader = { readShares };

/** Stands for all origins of the Analyser's own server, so that they are asked as one. */
const OWN_SERVER = 'own server';
const TELL_MS = 2_000;

/** Fills in the rows of all Pods; returns what was read of each, in the same order. */
export async function readShares(
  connection: PodAccess,
  pods: readonly Pod[],
  task: ReadTask,
  given?: PartReader,
): Promise<PodReading[]> {
  const asker = new PodAsker();
  const reader = given ?? new FilesReader(connection, task.rules, asker);
  const toAsk = pods.flatMap(filesOf).filter(isNotAsked);
  const progress = { read: 0, all: toAsk.length };
  const tools = { connection, task, asker, reader, kept: new Map<Pod, number>(), progress };
  const telling = setInterval(() => task.onFiles?.(progress.read, progress.all), TELL_MS);
  try {
    await readServers(pods, tools);
  } finally {
    clearInterval(telling);
  }
  judgeRows(pods);
  admitFiles(pods, task.memory);
  return pods.map((pod) => podReading(pod, task.rules));
}

/** The failure of one server ends all. A Pod not read whole in time counts with its last sums, if they still hold. */
async function readServers(pods: readonly Pod[], tools: ServerTools): Promise<void> {
  const { connection, task } = tools;
  const failing = new AbortController();
  const orStop = (error: unknown) => {
    failing.abort(error);
    throw error;
  };
  const time = sooner(task.time, failing.signal);
  const byServer = groupBy(pods, ({ owner: { root } }) =>
    isOnOwnServer(root, connection) ? OWN_SERVER : new URL(root).origin,
  );
  const ofOwn = byServer.get(OWN_SERVER) ?? [];
  const own = readServer(ofOwn, tools, {
    // No caller waits for run-once, so it reads from the Analyser's own server without a limit.
    time: task.served === 'everybody' ? endless(time.stop) : time,
    atOnce: limits.ownServerAtOnce,
    analyserDocument: connection.pod.documents.encKeys,
  }).catch(orStop);
  byServer.delete(OWN_SERVER);
  const others = readOthers([...byServer], tools, { time, own }).map((reading) =>
    reading.catch(orStop),
  );
  // Like Promise.all, except that a failure waits until nothing runs on.
  await Promise.allSettled([own, ...others]);
  await Promise.all([own, ...others]);
  noteSilence(ofOwn, false);
}

function isOnOwnServer(root: string, { client, pod }: PodAccess): boolean {
  const { origin } = new URL(root);
  return origin === new URL(pod.root).origin || client.ownOrigins?.has(origin) === true;
}
