import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../base/sentences.js';

const runScript = fileURLToPath(new URL('../../run.sh', import.meta.url));

/** A command of this program that works unchanged in another terminal, from any folder. */
export function ownCommand(...words: readonly string[]): string {
  const program = existsSync(runScript) ? runScript : 'bp-analyser';
  return [program, ...words].map(shellWord).join(' ');
}
