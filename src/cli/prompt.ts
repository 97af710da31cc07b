import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { AnalyserError } from '../base/errors.js';

/** Questions go to stderr, as stdout carries the output of the mode. Without a terminal every answer is blank. */

function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

export function ask(question: string): Promise<string> {
  return readLine(question, process.stderr);
}

export async function askSecret(question: string): Promise<string> {
  if (!canAsk()) return '';
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const answer = await readLine('', nowhere);
  process.stderr.write('\n');
  return answer;
}

/** Asks twice for a secret that may be new, because nobody can look it up later. */
export async function askNewSecret(question: string): Promise<string> {
  const first = await askSecret(question);
  if (first === '' || (await askSecret('The same again: ')) === first) return first;
  throw new AnalyserError(
    'configuration',
    'The two entries differ, so nothing was changed; try again.',
  );
}

/** Asks before something that is hard to undo, unless --yes was given. Throws where nobody can answer. */
export async function isConfirmed(
  question: string,
  { yes = false, what }: { yes?: boolean | undefined; what: string },
): Promise<boolean> {
  if (yes) return true;
  if (canAsk()) return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
  throw new AnalyserError('configuration', `Nobody is there to confirm ${what}: add --yes.`);
}

async function readLine(question: string, output: Writable): Promise<string> {
  if (!canAsk()) return '';
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  // Whoever listens for the signal does not know of the question.
  const interrupt = () => reader.emit('SIGINT');
  process.once('SIGTERM', interrupt);
  return await new Promise<string>((resolve, reject) => {
    // In raw mode, Ctrl-C is a key press and not a signal.
    reader.once('SIGINT', () => reject(new AnalyserError('cancelled', 'Interrupted.')));
    reader.once('close', () =>
      reject(new AnalyserError('cancelled', 'No answer was given: run it again and answer.')),
    );
    reader.question(question, resolve);
  }).finally(() => {
    process.off('SIGTERM', interrupt);
    reader.close();
  });
}
