import { z } from 'zod';
import { startChild } from './child.js';
import type { WorldSize } from './pod-world.js';
import { type World, worldAnswer } from './world-answer.js';

const counted = z.object({
  requests: z.record(z.string(), z.number()),
  /** Readings that were asked for, and how often in all. */
  files: z.number(),
  fileRequests: z.number(),
  /** Everything else, by path. */
  paths: z.record(z.string(), z.number()),
  /** Both ways, of connections that are closed. */
  bytes: z.number(),
});
export type Counted = z.infer<typeof counted>;

export interface Stub {
  world: World;
  /** What was asked since the last time. */
  count(): Promise<Counted>;
  /** Everybody shares everything once more, so that nothing in the inbox was ever opened. */
  shareAgain(): Promise<unknown>;
  stop(): Promise<void>;
}

export async function startStub(size: WorldSize, delayMs = 0): Promise<Stub> {
  const child = startChild('stub');
  const world = await child.ask('start', { ...size, delayMs }, worldAnswer);
  const credentials = { clientId: 'benchmark', clientSecret: 'of no use elsewhere' };
  return {
    world: { ...world, credentials },
    count: () => child.ask('count', {}, counted),
    shareAgain: () => child.ask('shareAgain', {}, z.null()),
    stop: () => child.stop(),
  };
}
