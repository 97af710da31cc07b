import { unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type ResultsDocument, resultsDocumentSchema } from '../documents/results-document.js';
import { listFolder, writeFileAtomically } from './atomic-file.js';
import { isRunId } from './run-id.js';
import { readDocument, readJson, type StoredDocument } from './stored-document.js';
import { type StoredFile, withFile } from './stored-file.js';

export type StoredResults = StoredDocument<ResultsDocument>;

export type ResultsStore = ReturnType<typeof openResultsStore>;

const LOOK_EVERY_MS = 5_000;

const lastRunSchema = z.object({ run_id: z.string().refine(isRunId), generated_at: z.string() });

export function openResultsStore(resultsDir: string) {
  const latestPath = join(resultsDir, 'latest.json');
  const runPath = (runId: string) => join(resultsDir, `run-${runId}.json`);
  let latest: { identity: string; results: StoredResults } | null = null;

  /** Run ids, newest first. Costs a listing of the folder, whatever the files hold. */
  async function listRuns(): Promise<string[]> {
    const names = await listFolder(resultsDir);
    return names.map(runIdOf).filter(isRunId).sort().reverse();
  }

  /** Parsed once per file, however often it is asked for. */
  async function readLatest(): Promise<StoredResults> {
    const results = await withFile(latestPath, async (file) => {
      if (latest?.identity === file.identity) return latest.results;
      const fresh = await parseFile(file);
      latest = { identity: file.identity, results: fresh };
      return fresh;
    });
    if (results === null) latest = null;
    return results ?? { state: 'absent' };
  }

  async function readRun(runId: string): Promise<StoredResults> {
    // Whoever asks can name anything; only a run id becomes a file name.
    if (!isRunId(runId)) return { state: 'absent' };
    const path = runPath(runId);
    const results = (await withFile(path, parseFile)) ?? { state: 'absent' };
    if (results.state === 'found' && results.document.run_id !== runId) {
      return { state: 'damaged', path, reason: `it holds run ${results.document.run_id}` };
    }
    return results;
  }

  /** Whether a stored run of this Analyser has sent a cohort figure; newest first until one has. */
  async function hasSentCohortFigure(analyserWebId: string): Promise<boolean> {
    for (const runId of await listRuns()) {
      const run = await readRun(runId);
      if (run.state !== 'found' || run.document.analyser.web_id !== analyserWebId) continue;
      if (sentCohortFigure(run.document)) return true;
    }
    return false;
  }

  /** Writes run-<run_id>.json, then latest.json unless that holds a newer run; returns the run's path. */
  async function write(document: ResultsDocument): Promise<string> {
    const text = `${JSON.stringify(resultsDocumentSchema.parse(document), null, 2)}\n`;
    await writeFileAtomically(runPath(document.run_id), text);
    const current = await withFile(latestPath, readLastRun);
    if (current === null || current.id <= document.run_id)
      await writeFileAtomically(latestPath, text);
    return runPath(document.run_id);
  }

  /** Tells of the run of latest.json when any process has replaced it, until it is called off. */
  function followLastRun(onRun: (run: { id: string; at: string }) => void): () => void {
    const look = () => {
      const found = withFile(latestPath, readLastRun);
      found.then((run) => run !== null && onRun(run)).catch(() => undefined);
    };
    watchFile(latestPath, { persistent: false, interval: LOOK_EVERY_MS }, look);
    return () => unwatchFile(latestPath, look);
  }

  return {
    write,
    followLastRun,
    listRuns,
    /** Costs a look at a single file, however many runs there are. */
    hasRun: async (runId: string) => (await withFile(runPath(runId), () => true)) ?? false,
    readRun,
    hasSentCohortFigure,
    /** The run of latest.json, read without checking the whole document; null when there is none. */
    findLastRun: () => withFile(latestPath, readLastRun),
    readLatest,
  };
}

/** Where the cohort is shared, it has an entry, and the figures stand in everybody's own result. */
function sentCohortFigure({ sharing: { published } }: ResultsDocument): boolean {
  const isShared = published.some(({ kind }) => kind === 'cohort-average');
  return (
    isShared &&
    published.some(({ kind, recipients }) => kind === 'pod-average' && recipients.length > 0)
  );
}

function runIdOf(fileName: string): string {
  return /^run-(.+)\.json$/.exec(fileName)?.[1] ?? '';
}

function parseFile(file: StoredFile): Promise<StoredResults> {
  return readDocument(file, resultsDocumentSchema);
}

/** Reads a file of any release; null when it holds no run and may be replaced. */
async function readLastRun(file: StoredFile): Promise<{ id: string; at: string } | null> {
  const run = lastRunSchema.safeParse(await readJson(file));
  return run.success ? { id: run.data.run_id, at: run.data.generated_at } : null;
}
