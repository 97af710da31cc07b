import { join } from 'node:path';
import { z } from 'zod';
import { removeFile, writeFileAtomically } from './atomic-file.js';
import { readJson } from './stored-document.js';
import { withFile } from './stored-file.js';

/** Far more lines than one analysis leaves, even with all Pods. If there are more, the oldest lines are dropped. */
const MOST_LINES = 20_000;

const linesSchema = z.array(z.object({ subject: z.string(), line: z.string() }));
export type BackloggedLine = z.infer<typeof linesSchema>[number];

export type LogBacklog = ReturnType<typeof openLogBacklog>;

/**
 * Keeps lines that could not be written into the Analyser's own permission log, so that the next analysis writes
 * them.
 */
export function openLogBacklog(stateDir: string) {
  const path = join(stateDir, 'unlogged-grants.json');
  const backlog = {
    /** A damaged file is ignored. */
    async read(): Promise<BackloggedLine[]> {
      return linesSchema.safeParse(await withFile(path, readJson)).data ?? [];
    },
    async write(lines: readonly BackloggedLine[]): Promise<void> {
      if (lines.length === 0) await removeFile(path);
      else await writeFileAtomically(path, `${JSON.stringify(lines.slice(-MOST_LINES))}\n`);
    },
    /** Drops lines that will not be written any more; returns how many. */
    async drop(isMeant: (line: string) => boolean): Promise<number> {
      const lines = await backlog.read();
      const left = lines.filter(({ line }) => !isMeant(line));
      if (left.length < lines.length) await backlog.write(left);
      return lines.length - left.length;
    },
  };
  return backlog;
}
