import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';

/**
 * Every side of a comparison has a process of its own, so that its CPU time and its memory are nobody else's. It sends
 * one message when it is ready, and ends with its parent. `name` is that of a file beside this one, without
 * `-process.js`.
 */
export async function startChild<T>(
  name: string,
  given: object,
  message: z.ZodType<T>,
): Promise<AsyncDisposable & { told: T }> {
  const entry = fileURLToPath(new URL(`./${name}-process.js`, import.meta.url));
  const child = fork(entry, [JSON.stringify(given)], { execArgv: [] });
  const ended = once(child, 'exit');
  const [told] = await Promise.race([once(child, 'message'), ended.then(() => [])]);
  if (told === undefined) throw new Error(`The process ${name} has ended.`);
  return {
    told: message.parse(told),
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

/** In the child. */
export function tellParent(message: object): void {
  process.once('disconnect', () => process.exit(0));
  process.send?.(message);
}
