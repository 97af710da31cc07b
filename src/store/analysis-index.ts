import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseJson } from '../base/parse-json.js';
import { DAY_MS } from '../base/utc-time.js';
import { type RunSummary, runSummarySchema } from '../documents/analysis-summary.js';
import { writeFileAtomically } from './atomic-file.js';
import { diskError } from './disk-error.js';
import { makeFolder } from './make-folder.js';
import { timeOfRunId } from './run-id.js';
import { type StoredFile, withFile } from './stored-file.js';

/**
 * `analyses.jsonl` beside the run documents. A line is added each time a run document is written. So the analyses stand
 * in the order in which they were made, even if a clock was wrong. A line outlasts its run document. Only the holder of
 * the analysis lock writes the file.
 */
const CHUNK_BYTES = 1024 * 1024;
const HEADER_BYTES = 64;
const START_BYTES = 4096;
const LINE_FEED = 10;

export function openAnalysisIndex(resultsDir: string) {
  const path = join(resultsDir, 'analyses.jsonl');
  return {
    /** Appends without a sync, not atomically: if a crash tears or loses a line, the run document is read instead. */
    async append(summary: RunSummary): Promise<void> {
      try {
        await makeFolder(dirname(path));
        const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
        const file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o640);
        try {
          const { size } = await file.stat();
          // The line feed in front ends an earlier line that a crash has torn.
          await file.appendFile(
            `${size === 0 ? header('begun') : ''}\n${JSON.stringify(summary)}\n`,
          );
        } finally {
          await file.close();
        }
      } catch (error) {
        throw diskError('write', path, error);
      }
    },
    /** Replaces or removes lines. Readers then read the whole file again, even if nothing changed. */
    rewrite: (change: Change) => rewrite(path, change),
    /** Drops the lines of runs before `time`, at most once a day, because all lines are read and written for it. */
    async dropBefore(time: number): Promise<void> {
      const start = await withFile(path, (file) => file.readPart(0, START_BYTES));
      const [, first = ''] = /"run_id":"([^"]+)"/.exec(start?.toString() ?? '') ?? [];
      const oldest = timeOfRunId(first);
      if (oldest === null || oldest >= time - DAY_MS) return;
      await rewrite(path, (summary) =>
        (timeOfRunId(summary.run_id) ?? time) < time ? null : summary,
      );
    },
    follow: () => followIndex(path),
  };
}

type Change = (summary: RunSummary) => RunSummary | null;

async function rewrite(path: string, change: Change): Promise<void> {
  const { summaries } = (await followIndex(path)()) ?? { summaries: [] };
  const lines = summaries.flatMap((summary) => change(summary) ?? []);
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFileAtomically(path, `${header('anew')}${text}`);
}

/** The first line of the file. It differs after each rewrite, and shows whether the file was ever rewritten. */
function header(how: 'begun' | 'anew'): string {
  return `{"${how}":"${randomBytes(16).toString('hex')}"}\n`;
}

export interface IndexNews {
  /** Whether the summaries that were returned before are no longer valid. */
  begunAnew: boolean;
  summaries: RunSummary[];
}

/** Returns a function that returns, at each call, the lines added since the last call; null if the file is the same. */
function followIndex(path: string): () => Promise<IndexNews | null> {
  const nothingRead = { identity: '', header: '', position: 0, rest: Buffer.alloc(0) };
  let known = nothingRead;

  async function readNews(file: StoredFile): Promise<IndexNews | null> {
    if (file.identity === known.identity) return null;
    const start = (await file.readPart(0, HEADER_BYTES)).toString('latin1').split('\n', 1)[0] ?? '';
    const isOther = start !== known.header || file.size < known.position;
    const begunAnew = isOther && (known !== nothingRead || start.startsWith('{"anew"'));
    let { position, rest } = isOther ? nothingRead : known;
    const summaries: RunSummary[] = [];
    // The file is read in parts, so that this thread can do other work in between.
    for (;;) {
      const part = await file.readPart(position, CHUNK_BYTES);
      if (part.length === 0) break;
      position += part.length;
      const text = Buffer.concat([rest, part]);
      const end = text.lastIndexOf(LINE_FEED) + 1;
      summaries.push(...parseLines(text.toString('utf8', 0, end)));
      rest = text.subarray(end);
    }
    known = { identity: file.identity, header: start, position, rest };
    return { begunAnew, summaries };
  }

  return async () => {
    const before = known;
    const news = await withFile(path, async (file) => ({ told: await readNews(file) }));
    if (news !== null) return news.told;
    known = nothingRead;
    return before.identity === '' ? null : { begunAnew: true, summaries: [] };
  };
}

/** Blank, torn and foreign lines are ignored. */
function parseLines(text: string): RunSummary[] {
  return text.split('\n').flatMap((line) => {
    const parsed = line === '' ? undefined : runSummarySchema.safeParse(parseJson(line));
    return parsed?.data ?? [];
  });
}
