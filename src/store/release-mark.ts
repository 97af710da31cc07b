import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../base/parse-json.js';
import { writeFileAtomically } from './atomic-file.js';
import { withFile } from './stored-file.js';

/**
 * The newest version of the release record that this machine has seen, so that a record that
 * was put back to an older state is found out.
 */
const markSchema = z.object({ analyser_web_id: z.string(), version: z.int().min(0) });

export type ReleaseMark = { state: 'damaged'; path: string } | { state: 'read'; version: number };

const nameOf = (stateDir: string) => join(stateDir, 'cohort-release.json');

export async function readReleaseMark(stateDir: string, webId: string): Promise<ReleaseMark> {
  const path = nameOf(stateDir);
  const parsed = await withFile(path, async (file) =>
    markSchema.safeParse(parseJson(await file.read())),
  );
  if (parsed === null) return { state: 'read', version: 0 };
  if (!parsed.success) return { state: 'damaged', path };
  // A var/ that was used for another Analyser Pod says nothing of this one.
  const { analyser_web_id, version } = parsed.data;
  return { state: 'read', version: analyser_web_id === webId ? version : 0 };
}

/** Never lower than what is there. */
export async function raiseReleaseMark(
  stateDir: string,
  webId: string,
  version: number,
): Promise<void> {
  const mark = await readReleaseMark(stateDir, webId);
  if (mark.state === 'read' && mark.version >= version) return;
  await writeFileAtomically(
    nameOf(stateDir),
    `${JSON.stringify({ analyser_web_id: webId, version })}\n`,
  );
}
