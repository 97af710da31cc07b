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

/** A script that serves like it, or another program. */
export async function startChild(
  args: string[],
  cwd = process.cwd(),
  env: NodeJS.ProcessEnv = {},
  program = process.execPath,
): Promise<ChildService> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  const logged = readLines(child.stderr).find;
  const said = readLines(child.stdout).find;
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

/** Every line so far, and a wait for one that has a text or matches, seen already or yet to come. */
export function readLines(stream: Readable) {
  const lines: string[] = [];
  const input = createInterface({ input: stream });
  input.on('line', (line) => lines.push(line));
  const closed = once(input, 'close');
  async function find(wanted: string | RegExp): Promise<string> {
    for (;;) {
      const found = lines.find((line) =>
        typeof wanted === 'string' ? line.includes(wanted) : wanted.test(line),
      );
      if (found !== undefined) return found;
      const ended = await Promise.race([once(input, 'line'), closed.then(() => 'ended')]);
      if (ended === 'ended') throw new Error(`no line says "${wanted}":\n${lines.join('\n')}`);
    }
  }
  return { lines, find };
}
