import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Child, startCommand } from '../support/child-process.js';
import { writeConfigFile } from '../support/config-file.js';
import type { InitialisedPod } from '../support/initialised-pod.js';

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
  const folder = await mkdtemp(join(tmpdir(), 'bp-scale-'));
  await writeConfigFile(folder, analyser, { grpc: { host: '127.0.0.1', port: 0 }, ...sections });
  const child = startCommand([mode], {
    cwd: folder,
    env: { APP_ANALYSER_REDIS_URL: redisUrl, ...env },
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  return {
    child,
    folder,
    lines,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        child.once('exit', (code) => reject(new Error(`exit ${code}: ${lines.join('\n')}`)));
        look();
      }),
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
