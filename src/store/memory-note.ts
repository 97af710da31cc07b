import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/parse-json.js';
import { writeFileAtomically } from './atomic-file.js';
import { withFile } from './stored-file.js';

/**
 * The newest version of the Analyser's memory that this machine has seen, with the digest of its document. It shows
 * if the memory was put back to an older state.
 */
const noteSchema = z.object({
  analyser_web_id: z.string(),
  version: z.int().min(0),
  digest: z.string(),
});

interface Noted {
  version: number;
  digest: string;
}

export type MemoryNote = { state: 'damaged'; path: string } | ({ state: 'read' } & Noted);

const nameOf = (stateDir: string) => join(stateDir, 'memory.json');

/** Reads the note; version 0 if there is none. */
export async function readMemoryNote(stateDir: string, webId: string): Promise<MemoryNote> {
  const path = nameOf(stateDir);
  const parsed = await withFile(path, async (file) =>
    noteSchema.safeParse(parseJson(await file.read())),
  );
  if (parsed === null) return nothing;
  if (!parsed.success) return { state: 'damaged', path };
  const { analyser_web_id, version, digest } = parsed.data;
  // The note of another Analyser Pod, for which this var/ was used before, says nothing about this one.
  return analyser_web_id === webId ? { state: 'read', version, digest } : nothing;
}

const nothing: MemoryNote = { state: 'read', version: 0, digest: '' };

/** Notes the version of a memory that was written or read, but only if it is newer than the noted version. */
export async function raiseMemoryNote(
  stateDir: string,
  webId: string,
  { version, digest }: Noted,
): Promise<void> {
  const note = await readMemoryNote(stateDir, webId);
  if (note.state === 'read' && note.version >= version) return;
  const content = { analyser_web_id: webId, version, digest };
  await writeFileAtomically(nameOf(stateDir), `${JSON.stringify(content)}\n`);
}
