import { expect, test } from 'vitest';
import { TimeUpError } from '../../src/run/read/deadline.js';
import { PartsQueue, partsName } from '../../src/workers/parts-queue.js';
import { SharedRedis } from '../../src/workers/shared-redis.js';
import { deriveSharedSecret } from '../../src/workers/shared-secret.js';
import { noLog } from '../support/no-log.js';
import { readTask } from '../support/readings-of.js';
import { hasRedis, startRedis } from '../support/redis-server.js';

test.runIf(hasRedis)(
  'a part whose time is up before a worker has it is taken back, and the others are kept',
  async () => {
    const redis = await startRedis();
    const secret = await deriveSharedSecret('key', 'https://pods.example.org/a/profile/card#me');
    const shared = new SharedRedis(redis.url, secret.prefix, noLog);
    const parts = new PartsQueue(shared, secret, 'build', 0);
    const jobs = shared.openQueue(partsName('build'));
    const waiting = () => jobs.getWaitingCount();
    const end = new AbortController();
    const { rules } = readTask();
    const working = parts.use(end.signal, async (perform) => {
      const [first, second] = [new AbortController(), new AbortController()];
      const ask = ({ signal }: AbortController) =>
        perform({ rules, forMs: 60_000, files: [] }, signal);
      const late = expect(ask(first)).rejects.toThrow(TimeUpError);
      const kept = ask(second);
      await expect.poll(waiting).toBe(2);
      first.abort(new TimeUpError());
      await late;
      expect(await waiting()).toBe(1);
      end.abort(new Error('The test is over.'));
      await kept;
    });
    await expect(working).rejects.toThrow('The test is over.');
    await shared.close();
  },
);
