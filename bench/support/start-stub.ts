import { z } from 'zod';
import { startChild } from './child.js';
import { podWorld, type World, worldSize } from './pod-world.js';

export const stubSize = worldSize.extend({ delayMs: z.number().default(0) });

const counted = z.object({
  /** By method. */
  requests: z.record(z.string(), z.number()),
  /** The reading of each request for one. */
  files: z.array(z.string()),
  /** How many requests came one after the other, each begun when the one before was answered. */
  roundTrips: z.number(),
});
export type Counted = z.infer<typeof counted>;

export interface Stub extends AsyncDisposable {
  world: World;
  /** What was asked since the last time. */
  count: () => Promise<Counted>;
}

export async function startStub(size: z.input<typeof stubSize>): Promise<Stub> {
  const child = await startChild('stub', size, podWorld);
  const credentials = { clientId: 'benchmark', clientSecret: 'of no use elsewhere' };
  return {
    ...child,
    world: { ...child.told, credentials },
    async count() {
      const answer = await fetch(new URL('counted', child.told.baseUrl));
      return counted.parse(await answer.json());
    },
  };
}
