import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { readTask } from '../../test/support/readings-of.js';
import { refusal } from '../pod/read-resource.js';
import type { FileOutcome } from '../run/table/row.js';
import { type Jobs, PartsQueue } from './parts-queue.js';
import { deriveSharedSecret } from './shared-secret.js';

const secret = await deriveSharedSecret('key', 'https://pods.example.org/a/profile/card#me');
const { rules } = readTask();

/** Each part has a result of its own. */
const resultOf = (part: number): FileOutcome[] => [refusal(500 + part)];

/** A queue that keeps its parts until the test answers. */
function openParts() {
  const ids: string[] = [];
  const events = new EventEmitter();
  const done = () => Promise.resolve();
  const jobs: Jobs = {
    name: 'parts',
    add: (_name, _data, { jobId }) => Promise.resolve(ids.push(jobId)),
    remove: done,
    obliterate: done,
    getBackend: () => ({ setQueueMeta: done }),
    setGlobalConcurrency: done,
    getRanges: () => Promise.resolve(ids),
    getWorkers: () => Promise.resolve(['one']),
    trimEvents: () => Promise.resolve(0),
  };
  const redis = {
    openQueue: () => jobs,
    ask: <T>(question: () => Promise<T>) => question(),
    follow: () => events,
  };
  /** The worker of a part answers with what it has sealed for that part, or for another. */
  const answer = (part: number, sealedFor = part) => {
    const outcome = { value: resultOf(sealedFor), error: null };
    const returnvalue = secret.seal(outcome, `outcome ${ids[sealedFor] ?? ''}`);
    events.emit('completed', { jobId: ids[part], returnvalue });
  };
  /** What becomes of three parts that are under way together. */
  const perform = (then: () => void) =>
    new Promise<PromiseSettledResult<FileOutcome[]>[]>((resolve, reject) => {
      const work: Parameters<PartsQueue['use']>[1] = async (readPart) => {
        const all = [1, 2, 3].map(() => readPart({ rules, forMs: 60_000, files: [] }));
        const settled = Promise.allSettled(all);
        await expect.poll(() => ids).toHaveLength(3);
        then();
        resolve(await settled);
      };
      // Not waited for: after a part that failed, the queue stays closed for some seconds.
      new PartsQueue(redis, secret, 'build', 0).use(undefined, work).catch(reject);
    });
  return { perform, answer };
}

test('[T30] each part gets the result of its own worker, in whatever order the workers are done', async () => {
  const { perform, answer } = openParts();
  const results = await perform(() => [2, 0, 1].forEach((part) => answer(part)));
  const values = [0, 1, 2].map((part) => ({ status: 'fulfilled', value: resultOf(part) }));
  expect(results).toEqual(values);
});

test('[T30] the result of another part is no result', async () => {
  const { perform, answer } = openParts();
  const results = await perform(() => {
    answer(0, 1);
    answer(1, 0);
  });
  expect(results[0]).toMatchObject({
    status: 'rejected',
    reason: { message: 'A part of the analysis was lost on its way to the workers. Try again.' },
  });
  expect(results.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
});
