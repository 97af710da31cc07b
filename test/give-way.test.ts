import '../src/base/give-way.js';
import { getPriority } from 'node:os';
import { Piscina } from 'piscina';
import { expect, test } from 'vitest';

const filename = new URL('./support/priority-worker.ts', import.meta.url).href;

test.runIf(process.platform === 'linux')(
  'a thread that computes makes way, and no other does',
  async () => {
    const threads = new Piscina<undefined, number>({ maxThreads: 1 });
    try {
      expect(await threads.run(undefined, { filename, name: 'readPriority' })).toBe(10);
      // The event loop's thread has imported it as well.
      expect(getPriority()).toBe(0);
    } finally {
      await threads.destroy();
    }
  },
);
