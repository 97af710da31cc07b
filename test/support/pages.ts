import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const read = (page: string) => readFile(join(repository, page), 'utf8');

/** The first line of a page that has this in it, as somebody pastes it. */
export async function lineOf(page: string, part: string): Promise<string> {
  const line = (await read(page)).split('\n').find((text) => text.includes(part));
  if (line === undefined) throw new Error(`${page} has no line with ${part}.`);
  return line;
}

/** The first block of this language that has this in it. */
export async function blockOf(page: string, language: string, part: string): Promise<string> {
  const fence = '```';
  const blocks = (await read(page)).matchAll(
    new RegExp(`^${fence}${language}\\n(.*?)^${fence}$`, 'gms'),
  );
  for (const [, block = ''] of blocks) if (block.includes(part)) return block;
  throw new Error(`${page} has no block of ${language} with ${part}.`);
}
