import { join } from 'node:path';
import { z } from 'zod';
import { AnalyserError } from '../base/errors.js';
import { parseJson } from '../base/parse-json.js';
import { readStored, writeFileAtomically } from './files.js';

/** Shows if the memory was put back to an older state than this machine has seen. */
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

/** Reads the note; version 0 if there is none. Throws if the folder belongs to another Analyser. */
export async function readMemoryNote(stateDir: string, webId: string): Promise<MemoryNote> {
  return (await findNote(stateDir, webId)) ?? nothing;
}

const nothing: MemoryNote = { state: 'read', version: 0, digest: '' };

async function findNote(stateDir: string, webId: string): Promise<MemoryNote | null> {
  const path = nameOf(stateDir);
  const content = await readStored(path);
  if (content === null) return null;
  const parsed = noteSchema.safeParse(parseJson(content));
  if (!parsed.success) return { state: 'damaged', path };
  const { analyser_web_id: owner, version, digest } = parsed.data;
  if (owner === webId) return { state: 'read', version, digest };
  throw new AnalyserError(
    'configuration',
    `output.state_dir ${stateDir} belongs to the Analyser ${owner}, not to ${webId}: give each Analyser one of its own. If ${owner} is no more, put its state, results and charts away.`,
  );
}

/** Makes the folder that of this Analyser. Only for the holder of the analysis lock. Throws if it is another's. */
export async function claimStateDir(stateDir: string, webId: string): Promise<void> {
  const note = await findNote(stateDir, webId);
  if (note === null) await write(stateDir, webId, { version: 0, digest: '' });
}

/** Notes a version only if it is newer than the noted one. Only for the holder of the analysis lock. */
export async function raiseMemoryNote(
  stateDir: string,
  webId: string,
  noted: Noted,
): Promise<void> {
  const note = await readMemoryNote(stateDir, webId);
  if (note.state === 'read' && note.version >= noted.version) return;
  await write(stateDir, webId, noted);
}

async function write(stateDir: string, webId: string, { version, digest }: Noted): Promise<void> {
  const content = { analyser_web_id: webId, version, digest };
  await writeFileAtomically(nameOf(stateDir), `${JSON.stringify(content)}\n`);
}
