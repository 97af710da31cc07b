import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * Every side of a comparison has a process of its own, so that its CPU time and its memory are
 * nobody else's. Questions and answers are small JSON values.
 */
export interface Child {
  ask<T>(name: string, question: object, answer: z.ZodType<T>): Promise<T>;
  stop(): Promise<void>;
}

const questionMessage = z.object({ id: z.number(), name: z.string(), question: z.unknown() });
const answerMessage = z.object({
  id: z.number(),
  answer: z.unknown().optional(),
  error: z.string().optional(),
});

export interface ChildOptions {
  args?: string[];
  env?: NodeJS.ProcessEnv;
  /** Takes the lines of its stderr, which is otherwise that of this process. */
  onLine?: (line: string) => void;
}

/** `name` is that of a file beside this one, without `-process.js`. */
export function startChild(
  name: string,
  { args = [], env = process.env, onLine }: ChildOptions = {},
): Child {
  const entry = fileURLToPath(new URL(`./${name}-process.js`, import.meta.url));
  const stderr = onLine === undefined ? 'inherit' : 'pipe';
  // As an operator starts it: flags that the benchmark itself runs with are not passed on.
  const child = fork(entry, args, {
    env,
    execArgv: [],
    stdio: ['ignore', 'inherit', stderr, 'ipc'],
  });
  if (onLine !== undefined && child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', onLine);
  }
  const waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (error: Error) => void }
  >();
  let next = 0;
  child.on('message', (message) => {
    const { id, answer, error } = answerMessage.parse(message);
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(answer);
    else asked?.reject(new Error(`${name}: ${error}`));
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended (${code})`));
    waiting.clear();
  });
  return {
    async ask(question, details, answer) {
      const id = next++;
      const answered = new Promise<unknown>((resolve, reject) =>
        waiting.set(id, { resolve, reject }),
      );
      child.send({ id, name: question, question: details });
      return answer.parse(await answered);
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** In the child: one function for each question; it ends with its parent. */
export function answerParent(
  answers: Readonly<Record<string, (question: unknown) => Promise<unknown>>>,
): void {
  process.once('disconnect', () => process.exit(0));
  process.on('message', (message) => {
    const { id, name, question } = questionMessage.parse(message);
    const answer = answers[name] ?? (() => Promise.reject(new Error(`nobody answers ${name}`)));
    answer(question).then(
      (result) => process.send?.({ id, answer: result ?? null }),
      (error: unknown) =>
        process.send?.({ id, error: error instanceof Error ? error.message : String(error) }),
    );
  });
}
