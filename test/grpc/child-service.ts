import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { inject } from 'vitest';
import { PlainClient } from './plain-client.js';

export interface ChildService extends AsyncDisposable {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  client: PlainClient;
  /** Exit code and signal. */
  exit: Promise<unknown[]>;
  /** Waits for a line on stdout that holds the text. */
  said(text: string): Promise<string>;
  /** The same for the log. */
  logged(text: string): Promise<string>;
}

/** The mode `grpc` in a process of its own, once it serves. */
export function startService(
  cwd: string,
  { env, options = [] }: { env?: NodeJS.ProcessEnv; options?: string[] } = {},
): Promise<ChildService> {
  return startChild([inject('compiledMain'), 'grpc', ...options], cwd, env);
}

/** A script that serves like it. */
export async function startChild(
  args: string[],
  cwd = process.cwd(),
  env: NodeJS.ProcessEnv = {},
): Promise<ChildService> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  const logged = lineSeeker(child.stderr);
  const said = lineSeeker(child.stdout);
  const serving = await logged('serving gRPC on');
  const client = new PlainClient(Number(/127\.0\.0\.1:(\d+) /.exec(serving)?.[1]));
  return {
    child,
    client,
    exit,
    said,
    logged,
    async [Symbol.asyncDispose]() {
      client.close();
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Waits for a line that holds a text, seen already or yet to come. */
function lineSeeker(stream: Readable): (text: string) => Promise<string> {
  const lines: string[] = [];
  const input = createInterface({ input: stream });
  input.on('line', (line) => lines.push(line));
  const closed = once(input, 'close');
  return async (text) => {
    for (;;) {
      const found = lines.find((line) => line.includes(text));
      if (found !== undefined) return found;
      const ended = await Promise.race([once(input, 'line'), closed.then(() => 'ended')]);
      if (ended === 'ended') throw new Error(`no line says "${text}":\n${lines.join('\n')}`);
    }
  };
}
