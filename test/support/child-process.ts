import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

interface Place {
  cwd?: string;
  /** All that is in its environment, besides PATH. */
  env?: NodeJS.ProcessEnv;
  /** The account that it runs as; only root can choose one. */
  uid?: number;
  gid?: number;
}

export type Child = ChildProcessByStdio<null, Readable, Readable>;

/** The command line in a process of its own, as a user starts it. */
export function startCommand(args: readonly string[], place: Place): Child {
  return startNode([inject('compiledMain'), ...args], place);
}

export function startNode(args: readonly string[], { env, ...place }: Place): Child {
  return spawn(process.execPath, args, {
    ...place,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export interface ChildResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export async function waitForEnd(child: Child): Promise<ChildResult> {
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code: child.exitCode, signal: child.signalCode, out, err };
}
