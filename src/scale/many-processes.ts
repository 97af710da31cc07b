import type { PodReader } from '../run/read/pod-reader.js';
import type { PodResult } from '../run/read/pod-result.js';
import type { Crew } from './crew.js';
import { cutWork } from './cut-work.js';
import { PodParts } from './pod-parts.js';
import type { Task } from './work-messages.js';
import type { WorkQueue } from './work-queue.js';

/** Values of the inbox that one task opens: a tenth of a second for a worker. */
const VALUES_PER_TASK = 500;

/** The reading is done by workers; here it is cut up and put together. */
export function createManyProcesses(queue: WorkQueue, crew: Crew): PodReader {
  return {
    async openValues(sealed, signal) {
      const tasks: Task[] = [];
      for (let start = 0; start < sealed.length; start += VALUES_PER_TASK) {
        tasks.push({ kind: 'open', values: sealed.slice(start, start + VALUES_PER_TASK) });
      }
      const opened = new Array<Buffer | null>(sealed.length).fill(null);
      await queue.perform(tasks, signal, (index, outcome) => {
        if (outcome.kind !== 'opened') return;
        for (const [offset, value] of outcome.values.entries()) {
          opened[index * VALUES_PER_TASK + offset] = value;
        }
      });
      return opened;
    },

    async readPods(_connection, shares, { rules, recipients, onPod, signal }) {
      const { pods } = shares;
      const cut = cutWork(shares, crew.workers.length);
      const collected = new Map(pods.map((pod) => [pod, new PodParts(pod)]));
      for (const { of } of cut.flat()) collected.get(of)?.expect();
      const results = new Map<unknown, PodResult>();
      const tasks = cut.map((pieces): Task => ({ kind: 'read', recipients, rules, pieces }));
      await queue.perform(tasks, signal, (index, outcome) => {
        if (outcome.kind !== 'read') return;
        for (const [offset, part] of outcome.parts.entries()) {
          const pod = cut[index]?.[offset]?.of;
          const result = pod && collected.get(pod)?.add(index, part, rules);
          if (!result) continue;
          results.set(pod, result);
          onPod?.(results.size, pods.length);
        }
      });
      return pods.flatMap((pod) => results.get(pod) ?? []);
    },
  };
}
