import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { InitialisedPod } from '../support/initialised-pod.js';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const tsx = import.meta.resolve('tsx');

/** A mode in a process of its own, as an operator starts it. */
export interface Process {
  child: ChildProcess;
  /** Its var/ and its configuration. */
  folder: string;
  /** Everything that it has logged. */
  lines: string[];
  /** The first line that matches, also one that came before. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function startProcess(
  mode: 'grpc' | 'worker',
  { account, securityKey }: Pick<InitialisedPod, 'account' | 'securityKey'>,
  settings: {
    redisUrl: string;
    serverUrl?: string;
    sections?: object;
    env?: Record<string, string>;
  },
): Promise<Process> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-scale-'));
  const { webId, clientId, clientSecret } = account;
  const config = {
    analyser: {
      web_id: webId,
      security_key: securityKey,
      credentials: { client_id: clientId, client_secret: clientSecret },
      ...(settings.serverUrl && { server_url: settings.serverUrl }),
    },
    grpc: { host: '127.0.0.1', port: 0 },
    ...settings.sections,
  };
  await writeFile(join(folder, 'config.yaml'), stringify(config), { mode: 0o600 });
  const env = {
    PATH: process.env['PATH'],
    APP_ANALYSER_REDIS_URL: settings.redisUrl,
    ...settings.env,
  };
  const child = spawn(process.execPath, ['--import', tsx, main, mode], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }

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
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
