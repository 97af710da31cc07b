import { parentFolder } from '../pod/resource-address.js';
import type { SharedFile, Shares } from '../run/discover/shared-files.js';
import { type PodPart, podResult } from '../run/read/pod-result.js';
import type { PodReader } from '../run/read/read-shares.js';
import { openedValues, podParts, type ReadPart, type Task } from './part-messages.js';
import type { PartsQueue } from './parts-queue.js';

/** Values of the inbox in one part, a tenth of a second of work. */
const VALUES_PER_PART = 500;
/** A part is bounded so that losing a worker costs at most some seconds of work. */
const MOST_FILES = 100;
const FEWEST_FILES = 10;
/** This many parts even out fast and slow ones. */
const WANTED_PARTS = 100;

/** Cuts the reading into parts for workers and puts their results together. */
export function readWithWorkers(queue: PartsQueue): Pick<PodReader, 'openValues' | 'readPods'> {
  return {
    async openValues(sealed, signal) {
      const tasks: Task[] = [];
      for (let start = 0; start < sealed.length; start += VALUES_PER_PART) {
        tasks.push({ kind: 'open', values: sealed.slice(start, start + VALUES_PER_PART) });
      }
      return (await queue.perform(tasks, openedValues, signal)).flat();
    },

    async readPods(_connection, { pods, folderKeys }, { rules, recipients, onPod, signal }) {
      const cut = cutWork({ pods, folderKeys });
      const tasks = cut.map((part): Task => ({ kind: 'read', recipients, rules, ...part }));
      const outcomes = await queue.perform(tasks, podParts, signal, (done) =>
        onPod?.(Math.floor((pods.length * done) / cut.length), pods.length),
      );
      /** The parts of each Pod, in the order of its files. */
      const found = new Map(pods.map(({ owner }): [string, PodPart[]] => [owner.root, []]));
      const pieces = cut.flatMap((part) => part.pods);
      for (const [index, part] of outcomes.flat().entries()) {
        found.get(pieces[index]?.owner.root ?? '')?.push(part);
      }
      return pods.map(({ owner }) => podResult(owner, found.get(owner.root) ?? [], rules));
    },
  };
}

/** Cuts into parts of bounded size: some Pods, or some files of a large one, in order. */
export function cutWork({ pods, folderKeys }: Pick<Shares, 'pods' | 'folderKeys'>): ReadPart[] {
  const count = pods.reduce((sum, pod) => sum + pod.files.length, 0);
  const size = Math.min(MOST_FILES, Math.max(FEWEST_FILES, Math.ceil(count / WANTED_PARTS)));
  const cut: Array<ReadPart['pods']> = [];
  let room = 0;
  for (const { owner, files } of pods) {
    for (let start = 0; start < files.length; ) {
      if (room === 0) cut.push([]);
      if (room === 0) room = size;
      const some = files.slice(start, start + room);
      cut.at(-1)?.push({ owner, files: some });
      start += some.length;
      room -= some.length;
    }
  }
  return cut.map((some) => {
    const files = some.flatMap((pod) => pod.files);
    return { pods: some, folderKeys: keysFor(files, folderKeys) };
  });
}

/** The keys of the shared folders that the files lie in. */
function keysFor(files: readonly SharedFile[], folderKeys: Shares['folderKeys']) {
  const found = new Map<string, readonly Buffer[]>();
  for (const { url } of files) {
    for (let folder = parentFolder(url); folder !== ''; folder = parentFolder(folder)) {
      const keys = folderKeys.get(folder);
      if (keys !== undefined) found.set(folder, keys);
    }
  }
  return found;
}
