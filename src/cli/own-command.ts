import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const runScript = fileURLToPath(new URL('../../run.sh', import.meta.url));

/** A command of this program that works unchanged in another terminal, from any folder. */
export function ownCommand(...words: readonly string[]): string {
  const program = existsSync(runScript) ? runScript : 'bp-analyser';
  return [program, ...words].map(quote).join(' ');
}

export function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
