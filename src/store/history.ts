import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../base/parse-json.js';
import {
  type AnalysisSummary,
  type RunSummary,
  runSummarySchema,
  sentSchema,
} from '../documents/analysis-summary.js';
import { diskError, makeFolder, readStored, writeFileAtomically } from './files.js';

export type AnalysisHistory = ReturnType<typeof openHistory>;

/**
 * `analyses.jsonl` beside the run documents: a line each time a run document is written, so the analyses stand in the
 * order in which they were made, whatever a clock said. It names no Pod, so erasing somebody does not touch it. Only
 * the holder of the analysis lock writes the file.
 */
export function openHistory(resultsDir: string) {
  const path = join(resultsDir, 'analyses.jsonl');
  const read = async () => (await readStored(path)) ?? Buffer.alloc(0);
  let known: { content: Buffer; analyses: readonly AnalysisSummary[] } | null = null;

  return {
    /** Appends without a sync, not atomically: a line that a crash has torn is ignored. */
    async append(summary: RunSummary): Promise<void> {
      try {
        await makeFolder(resultsDir);
        const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
        const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o640);
        try {
          // The line feed in front ends an earlier line that a crash has torn.
          await file.appendFile(`\n${JSON.stringify(summary)}\n`);
        } finally {
          await file.close();
        }
      } catch (error) {
        throw diskError('write', path, error);
      }
    },
    /** The analyses, newest first. */
    async list(): Promise<readonly AnalysisSummary[]> {
      const content = await read();
      if (known?.content.equals(content) !== true) {
        known = { content, analyses: groupRuns(parseLines(content)).reverse() };
      }
      return known.analyses;
    },
    /**
     * Whether a run of this Analyser has sent somebody a figure of the cohort. A line that cannot be read may say so, unless
     * it was torn and begins as one that does not.
     */
    async hasSentFigures(webId: string): Promise<boolean> {
      return [...(await read()).toString().matchAll(/.+/g)].some(([line]) => {
        const { data } = sentSchema.safeParse(parseJson(line));
        return data === undefined ? !line.startsWith('{"r') : data.sent_by === webId;
      });
    },
    /** In the order in which the lines were written. */
    async runIds(): Promise<string[]> {
      return linesOf(await read()).map(({ runId }) => runId);
    },
    async drop(isGone: (runId: string) => boolean): Promise<void> {
      const kept = linesOf(await read()).filter(({ runId }) => !isGone(runId));
      await writeFileAtomically(path, kept.map(({ line }) => `${line}\n`).join(''));
    },
  };
}

/** Lines as they stand. To parse some ten thousand takes a second. */
function linesOf(content: Buffer): { line: string; runId: string }[] {
  const lines = content.toString().matchAll(/^.*?"run_id":"([^"\n]+)".*$/gm);
  return Array.from(lines, ([line, runId = '']) => ({ line, runId }));
}

/** Torn and foreign lines are ignored. */
function parseLines(content: Buffer): RunSummary[] {
  return linesOf(content).flatMap(
    ({ line }) => runSummarySchema.safeParse(parseJson(line)).data ?? [],
  );
}

/** Puts the runs of each analysis together, each as its last line says; the analyses stay in their order. */
function groupRuns(lines: readonly RunSummary[]): AnalysisSummary[] {
  const analyses = new Map<string, AnalysisSummary>();
  for (const { generated_at, cohort, sent_by: _sentBy, ...run } of lines) {
    const before = analyses.get(generated_at)?.runs ?? [];
    const runs = [...before.filter(({ run_id }) => run_id !== run.run_id), run];
    runs.sort((one, other) => (one.run_id < other.run_id ? 1 : -1));
    analyses.set(generated_at, { generated_at, cohort, runs });
  }
  return [...analyses.values()];
}
