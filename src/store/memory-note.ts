import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/parse-json.js';
import { writeFileAtomically } from './atomic-file.js';
import { withFile } from './stored-file.js';

/**
 * The newest version of the Analyser's memory that this machine has seen, so that a memory that
 * was put back to an older state is found out.
 */
const noteSchema = z.object({ analyser_web_id: z.string(), version: z.int().min(0) });

export type MemoryNote = { state: 'damaged'; path: string } | { state: 'read'; version: number };

const nameOf = (stateDir: string) => join(stateDir, 'memory.json');

/** Version 0 where nothing is noted. */
export async function readMemoryNote(stateDir: string, webId: string): Promise<MemoryNote> {
  const path = nameOf(stateDir);
  const parsed = await withFile(path, async (file) =>
    noteSchema.safeParse(parseJson(await file.read())),
  );
  if (parsed === null) return { state: 'read', version: 0 };
  if (!parsed.success) return { state: 'damaged', path };
  // A var/ that was used for another Analyser Pod says nothing of this one.
  const { analyser_web_id, version } = parsed.data;
  return { state: 'read', version: analyser_web_id === webId ? version : 0 };
}

/** After the memory was written, or read with a newer version; never lower than what is there. */
export async function raiseMemoryNote(
  stateDir: string,
  webId: string,
  version: number,
): Promise<void> {
  const note = await readMemoryNote(stateDir, webId);
  if (note.state === 'read' && note.version >= version) return;
  await writeFileAtomically(
    nameOf(stateDir),
    `${JSON.stringify({ analyser_web_id: webId, version })}\n`,
  );
}
