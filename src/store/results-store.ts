import { join } from 'node:path';
import { summariseRun } from '../documents/analysis-summary.js';
import { type ResultsDocument, resultsDocumentSchema } from '../documents/results-document.js';
import { listFolder, readDocument, type StoredDocument, writeFileAtomically } from './files.js';
import { openHistory } from './history.js';

export type StoredResults = StoredDocument<ResultsDocument>;

export type ResultsStore = ReturnType<typeof openResultsStore>;

export function openResultsStore(resultsDir: string) {
  const latestPath = join(resultsDir, 'latest.json');
  const runPath = (runId: string) => join(resultsDir, `run-${runId}.json`);
  const history = openHistory(resultsDir);
  /** The analysis whose runs are being written, with its greatest run id so far. */
  let written: { generatedAt: string; runId: string } | null = null;
  let writing = Promise.resolve();

  const readLatest = (): Promise<StoredResults> => readDocument(latestPath, resultsDocumentSchema);

  async function readRun(runId: string): Promise<StoredResults> {
    // A client can ask for any text, so only a valid run id becomes a file name.
    if (!isRunId(runId)) return { state: 'absent' };
    const path = runPath(runId);
    const results = await readDocument(path, resultsDocumentSchema);
    if (results.state === 'found' && results.document.run_id !== runId) {
      return { state: 'unreadable', path, reason: `it holds run ${results.document.run_id}` };
    }
    return results;
  }

  /** The run ids, newest first. */
  async function listRuns(): Promise<string[]> {
    const names = await listFolder(resultsDir);
    return names.map(runIdOf).filter(isRunId).sort().reverse();
  }

  /** Returns the path. `hasSentFigures`: whether the analysis has sent a figure of the cohort. */
  async function write(document: ResultsDocument, hasSentFigures = false): Promise<string> {
    const text = textOf(document);
    await writeFileAtomically(runPath(document.run_id), text);
    // Runs are announced one after the other, because several callers of an analysis are served at the same time.
    const announced = writing.then(async () => {
      await history.append(summariseRun(document, hasSentFigures));
      await makeLatest(document, text);
    });
    writing = announced.catch(() => undefined);
    await announced;
    return runPath(document.run_id);
  }

  /** latest.json is of the analysis that was written last, and among its callers of the last run id. */
  async function makeLatest(document: ResultsDocument, text: string): Promise<void> {
    const { run_id: runId, generated_at: generatedAt } = document;
    if (written?.generatedAt === generatedAt && runId < written.runId) return;
    await writeFileAtomically(latestPath, text);
    written = { generatedAt, runId };
  }

  /** Where `change` gives null a document stays, and so does one that cannot be read: its path is returned. */
  async function rewrite(
    change: (document: ResultsDocument) => ResultsDocument | null,
  ): Promise<{ changed: string[]; unread: string[] }> {
    const unread: string[] = [];
    const rewriteOne = async (stored: StoredResults, path: string): Promise<boolean> => {
      if (stored.state === 'unreadable') unread.push(path);
      const document = stored.state === 'found' ? change(stored.document) : null;
      if (document !== null) await writeFileAtomically(path, textOf(document));
      return document !== null;
    };
    const changed: string[] = [];
    for (const runId of await listRuns()) {
      if (await rewriteOne(await readRun(runId), runPath(runId))) changed.push(runId);
    }
    // latest.json is changed by itself, because the document of its run may have been removed already.
    await rewriteOne(await readLatest(), latestPath);
    return { changed, unread };
  }

  return { write, rewrite, history, listRuns, readRun, readLatest };
}

/** Empty for a file that is no run document. */
export function runIdOf(fileName: string): string {
  return /^run-(.+)\.json$/.exec(fileName)?.[1] ?? '';
}

function textOf(document: ResultsDocument): string {
  return `${JSON.stringify(resultsDocumentSchema.parse(document), null, 2)}\n`;
}

const pattern = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/;

export function isRunId(text: string): boolean {
  const time = timeOfRunId(text);
  return time !== null && runIdAt(time / 1000) === text;
}

/** Ids can be ahead of the clock. Only for the holder of the analysis lock: else two processes could get one id. */
export function nextRunIds(
  stored: readonly string[],
  { count, now }: { count: number; now: Date },
): string[] {
  const taken = new Set(stored);
  const runIds: string[] = [];
  for (let second = Math.floor(now.getTime() / 1000); runIds.length < count; second += 1) {
    const runId = runIdAt(second);
    if (!taken.has(runId)) runIds.push(runId);
  }
  return runIds;
}

function runIdAt(second: number): string {
  const text = new Date(second * 1000).toISOString();
  return `${text.slice(0, 19).replace(/[-:]/g, '')}Z`;
}

/** Milliseconds since 1970; null for a text that is not a run id. */
export function timeOfRunId(runId: string): number | null {
  if (!pattern.test(runId)) return null;
  const time = Date.parse(runId.replace(pattern, '$1-$2-$3T$4:$5:$6Z'));
  return Number.isNaN(time) ? null : time;
}
