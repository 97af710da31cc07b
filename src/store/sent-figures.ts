import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from './atomic-file.js';
import { readJson } from './stored-document.js';
import { withFile } from './stored-file.js';

/** The WebIDs of Analysers that have sent a figure of the cohort to somebody. */
const noteSchema = z.array(z.string());

/** Remembers beside the run documents that figures were sent, for the case that the memory and its note are gone. */
export function openSentFigures(resultsDir: string) {
  const path = join(resultsDir, 'sent-figures.json');
  const read = async () => noteSchema.safeParse(await withFile(path, readJson)).data ?? [];
  return {
    hasSent: async (webId: string) => (await read()).includes(webId),
    async note(webId: string): Promise<void> {
      const noted = await read();
      if (noted.includes(webId)) return;
      await writeFileAtomically(path, `${JSON.stringify([...noted, webId])}\n`);
    },
  };
}
