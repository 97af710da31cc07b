import { once } from 'node:events';
import { readLines } from '../grpc/child-service.js';
import { type Child, startCommand } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import type { InitialisedPod } from '../support/initialised-pod.js';
import { newFolder } from '../support/temp-folder.js';

/** A mode in a process of its own, as an operator starts it. */
export interface Process {
  child: Child;
  /** Its var/ and its configuration. */
  folder: string;
  /** Everything that it has logged. */
  lines: string[];
  /** The first line that matches, also one that came before. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** With kill -9. */
  kill(): Promise<void>;
}

export async function startProcess(
  mode: 'grpc' | 'worker' | 'serve',
  analyser: Pick<InitialisedPod, 'account' | 'securityKey'>,
  {
    redisUrl,
    sections = {},
    env = {},
  }: { redisUrl: string; sections?: Record<string, object>; env?: NodeJS.ProcessEnv },
): Promise<Process> {
  const folder = await newFolder();
  await writeConfigFile(folder, analyser, { grpc: { host: '127.0.0.1', port: 0 }, ...sections });
  const child = startCommand([mode], {
    cwd: folder,
    env: { APP_ANALYSER_REDIS_URL: redisUrl, ...env },
  });
  const { lines, find } = readLines(child.stderr);
  return {
    child,
    folder,
    lines,
    async said(pattern) {
      const match = pattern.exec(await find(pattern));
      if (match === null) throw new Error('The line was found by this pattern.');
      return match;
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
  };
}
