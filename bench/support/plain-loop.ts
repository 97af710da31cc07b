import { z } from 'zod';
import { startChild } from './child.js';
import type { World } from './world-answer.js';

export interface PlainLoop {
  /** Milliseconds for all files, so many at once. */
  run(atOnce: number): Promise<number>;
  stop(): Promise<void>;
}

const nothing = z.object({});
const answer = z.object({ ms: z.number() });

export async function startPlainLoop(world: World): Promise<PlainLoop> {
  const child = startChild('plain-loop');
  const { baseUrl, credentials } = world;
  await child.ask('start', { baseUrl, credentials }, nothing);
  const urls = world.contributors.flatMap(({ readings }) => readings);
  return {
    run: async (atOnce) => (await child.ask('run', { urls, atOnce }, answer)).ms,
    stop: () => child.stop(),
  };
}
