import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * Every side of a comparison has a process of its own, so that its CPU time and its memory are nobody else's. It is
 * asked one question at a time; questions and answers are small JSON values.
 */
export interface Child {
  ask<T>(name: string, question: object, answer: z.ZodType<T>): Promise<T>;
  stop(): Promise<void>;
}

const questionMessage = z.object({ name: z.string(), question: z.unknown() });
const answerMessage = z.object({ answer: z.unknown(), error: z.string().nullable() });

/** `name` is that of a file beside this one, without `-process.js`. */
export function startChild(name: string): Child {
  const entry = fileURLToPath(new URL(`./${name}-process.js`, import.meta.url));
  const child = fork(entry, { execArgv: [] });
  const ended = once(child, 'exit');
  return {
    async ask(question, details, answer) {
      const answered = once(child, 'message');
      child.send({ name: question, question: details });
      const [message] = await Promise.race([answered, ended.then(() => [])]);
      if (message === undefined) throw new Error(`The process ${name} has ended.`);
      const { answer: given, error } = answerMessage.parse(message);
      if (error !== null) throw new Error(`${name}: ${error}`);
      return answer.parse(given);
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** In the child: one function for each question; it ends with its parent. */
export function answerParent(
  answers: Readonly<Record<string, (question: unknown) => Promise<unknown>>>,
): void {
  process.once('disconnect', () => process.exit(0));
  process.on('message', (message) => {
    const { name, question } = questionMessage.parse(message);
    const answer = answers[name] ?? (() => Promise.reject(new Error(`nobody answers ${name}`)));
    answer(question).then(
      (result) => process.send?.({ answer: result ?? null, error: null }),
      (error: unknown) => process.send?.({ answer: null, error: String(error) }),
    );
  });
}
