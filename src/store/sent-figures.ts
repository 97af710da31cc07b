import { join } from 'node:path';
import { z } from 'zod';
import type { ResultsDocument } from '../documents/results-document.js';
import { writeFileAtomically } from './atomic-file.js';
import { readJson, type StoredDocument } from './stored-document.js';
import { withFile } from './stored-file.js';

interface Runs {
  listRuns(): Promise<readonly string[]>;
  readRun(runId: string): Promise<StoredDocument<ResultsDocument>>;
}

/** Whether cohort figures were sent, by the WebID of the Analyser. */
const noteSchema = z.record(z.string(), z.boolean());

/**
 * Whether a stored run of an Analyser has sent a cohort figure. The runs are searched once, newest first. The answer
 * is noted beside them only when the next run is written, because a mode like check must not write anything.
 */
export function openSentFigures(resultsDir: string, runs: Runs) {
  const path = join(resultsDir, 'sent-figures.json');
  const found = new Map<string, boolean>();
  const noted = new Map<string, boolean>();

  async function readNote(): Promise<z.infer<typeof noteSchema>> {
    return noteSchema.safeParse(await withFile(path, readJson)).data ?? {};
  }

  async function search(webId: string): Promise<boolean> {
    for (const runId of await runs.listRuns()) {
      const run = await runs.readRun(runId);
      if (run.state !== 'found' || run.document.analyser.web_id !== webId) continue;
      if (sentCohortFigure(run.document)) return true;
    }
    return false;
  }

  return {
    async hasSent(webId: string): Promise<boolean> {
      const note = await readNote();
      const known = Object.hasOwn(note, webId) ? note[webId] : found.get(webId);
      const sent = known ?? (await search(webId));
      found.set(webId, sent);
      return sent;
    },
    /** Called for each run that is written. */
    async note(document: ResultsDocument): Promise<void> {
      const { web_id: webId } = document.analyser;
      const sent = sentCohortFigure(document) || found.get(webId);
      if (sent === undefined || noted.get(webId) === sent) return;
      const note = await readNote();
      // A figure that was sent once stays noted as sent.
      const news = { ...note, [webId]: sent || note[webId] === true };
      await writeFileAtomically(path, `${JSON.stringify(news)}\n`);
      noted.set(webId, sent);
    },
  };
}

/** If the cohort is shared, `published` has an entry for it, and each Pod's own result holds the cohort figures. */
function sentCohortFigure({ sharing: { published } }: ResultsDocument): boolean {
  const isShared = published.some(({ kind }) => kind === 'cohort-average');
  return (
    isShared &&
    published.some(({ kind, recipients }) => kind === 'pod-average' && recipients.length > 0)
  );
}
