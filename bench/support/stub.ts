import { z } from 'zod';
import { startChild } from './child.js';
import { podWorld, type World, type WorldSize } from './pod-world.js';

const counted = z.object({
  requests: z.record(z.string(), z.number()),
  /** Readings that were asked for, and how often in all. */
  files: z.number(),
  fileRequests: z.number(),
});
export type Counted = z.infer<typeof counted>;

export interface Stub {
  world: World;
  /** What was asked since the last time. */
  count(): Promise<Counted>;
  stop(): Promise<void>;
}

export async function startStub(size: WorldSize, delayMs = 0): Promise<Stub> {
  const child = startChild('stub');
  const world = await child.ask('start', { ...size, delayMs }, podWorld);
  const credentials = { clientId: 'benchmark', clientSecret: 'of no use elsewhere' };
  return {
    world: { ...world, credentials },
    count: () => child.ask('count', {}, counted),
    stop: () => child.stop(),
  };
}
