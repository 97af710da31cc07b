import {
  type AnalysisSummary,
  type ComparedPods,
  changesSince,
  comparedPods,
  type RunSummary,
  summariseRun,
} from '../documents/analysis-summary.js';
import { openAnalysisIndex } from './analysis-index.js';
import { type PodCourses, podCourses } from './pod-courses.js';
import type { ResultsStore } from './results-store.js';

export type AnalysisList = ReturnType<typeof openAnalysisList>;

type Runs = Pick<ResultsStore, 'listRuns' | 'readRun'>;

/**
 * The analyses of a results folder. A run is usually summarised by its line in the index. If there is no line, the run
 * document is read, once. A line is missing if an older version wrote the document, or after a crash.
 */
export function openAnalysisList(resultsDir: string, runs: Runs) {
  const news = openAnalysisIndex(resultsDir).follow();
  const indexed = new Summaries();
  /** By run id; null for a run that cannot be read. */
  const others = new Map<string, RunSummary | null>();
  /**
   * The Pods of the run that was read last; the next run that is read is compared with them. Null if it is not known
   * which analysis came before that next run.
   */
  let podsBefore: ComparedPods | null = null;
  /** The analyses in the order in which they were made, oldest first, and the list of their runs. */
  let known: { runIds: readonly string[]; analyses: readonly AnalysisSummary[] } | null = null;
  /** The run ids, sorted with those of the newest analysis first; `of` is the list before it was sorted. */
  let ordered: { of: readonly string[]; runIds: string[] } | null = null;
  let coursesOf: { analyses: readonly AnalysisSummary[]; courses: PodCourses } | null = null;
  let looking: Promise<unknown> = Promise.resolve();

  /** Looks run one after the other, because each goes on where the last one stopped. */
  function inTurn<T>(look: () => Promise<T>): Promise<T> {
    const looked = looking.then(look);
    looking = looked.catch(() => undefined);
    return looked;
  }

  async function followIndex(): Promise<void> {
    const told = await news();
    if (told === null) return;
    known = null;
    ordered = null;
    if (told.begunAnew) {
      // Entries that were erased from the index must not stay here.
      indexed.clear();
      others.clear();
    }
    for (const summary of told.summaries) indexed.add(summary);
  }

  async function look(): Promise<readonly AnalysisSummary[]> {
    await followIndex();
    const runIds = await runs.listRuns();
    if (known?.runIds !== runIds) {
      if (others.size === 0) podsBefore = indexed.isEmpty ? new Map() : null;
      const unlisted = await summariseUnlisted(runIds);
      known = { runIds, analyses: inOrder(indexed.all(), unlisted, isOlder) };
    }
    return known.analyses;
  }

  /** Analyses that the index does not have, oldest first. */
  async function summariseUnlisted(runIds: readonly string[]): Promise<AnalysisSummary[]> {
    const summaries = new Summaries();
    for (const runId of runIds.toReversed()) {
      if (indexed.hasRun(runId)) continue;
      let summary = others.get(runId);
      if (summary === undefined) {
        summary = await readSummary(runId);
        others.set(runId, summary);
      }
      if (summary === null) continue;
      const place = indexed.hasAnalysis(summary.generated_at) ? indexed : summaries;
      place.add(summary);
    }
    return summaries.all();
  }

  async function readSummary(runId: string): Promise<RunSummary | null> {
    const run = await runs.readRun(runId);
    if (run.state !== 'found') return null;
    const pods = comparedPods(run.document.pods);
    const changes = podsBefore === null ? {} : changesSince(podsBefore, pods);
    podsBefore = pods;
    return { ...summariseRun(run.document), ...changes };
  }

  return {
    /** The courses of all Pods, worked out once for each list of analyses. */
    async courses(): Promise<PodCourses> {
      const analyses = await inTurn(look);
      if (coursesOf?.analyses !== analyses) coursesOf = { analyses, courses: podCourses(analyses) };
      return coursesOf.courses;
    },
    /** Newest first. */
    list: async (): Promise<AnalysisSummary[]> => (await inTurn(look)).toReversed(),
    /** The stored run ids, newest analysis first; the same list as long as nothing has changed. No run is read. */
    listRuns: () =>
      inTurn(async () => {
        await followIndex();
        const runIds = await runs.listRuns();
        if (ordered?.of !== runIds) ordered = { of: runIds, runIds: byAnalysis(runIds) };
        return ordered.runIds;
      }),
  };

  function byAnalysis(runIds: readonly string[]): string[] {
    const stored = new Set(runIds);
    const listed = indexed.all().toReversed();
    const known = listed.flatMap((analysis) => analysis.runs.map(({ run_id }) => run_id));
    return inOrder(
      known.filter((runId) => stored.has(runId)),
      runIds.filter((runId) => !indexed.hasRun(runId)),
      (runId, other) => runId > other,
    );
  }
}

/** Groups runs by their analysis, in the order in which the analyses are added. */
class Summaries {
  readonly #analyses = new Map<string, AnalysisSummary>();
  readonly #runIds = new Set<string>();

  get isEmpty(): boolean {
    return this.#analyses.size === 0;
  }

  hasRun(runId: string): boolean {
    return this.#runIds.has(runId);
  }

  hasAnalysis(generatedAt: string): boolean {
    return this.#analyses.has(generatedAt);
  }

  add({ generated_at, cohort, joined = [], left = [], changed = [], ...run }: RunSummary): void {
    const before = this.#analyses.get(generated_at);
    const others = before?.runs.filter(({ run_id }) => run_id !== run.run_id) ?? [];
    const runs = [...others, run].sort((a, b) => (a.run_id < b.run_id ? 1 : -1));
    const tells = joined.length + left.length + changed.length > 0 || before === undefined;
    const changes = tells ? { joined, left, changed } : before;
    this.#analyses.set(generated_at, {
      ...{ generated_at, cohort, runs },
      ...{ joined: changes.joined, left: changes.left, changed: changes.changed },
    });
    this.#runIds.add(run.run_id);
  }

  all(): AnalysisSummary[] {
    return [...this.#analyses.values()];
  }

  clear(): void {
    this.#analyses.clear();
    this.#runIds.clear();
  }
}

/** Items of the index stay in their order. Any other item goes before the first indexed item that comes after it. */
function inOrder<T>(
  indexed: readonly T[],
  others: readonly T[],
  comesBefore: (other: T, item: T) => boolean,
): T[] {
  const merged: T[] = [];
  const waiting = others.values();
  let other = waiting.next();
  for (const item of indexed) {
    for (; other.done !== true && comesBefore(other.value, item); other = waiting.next()) {
      merged.push(other.value);
    }
    merged.push(item);
  }
  for (; other.done !== true; other = waiting.next()) merged.push(other.value);
  return merged;
}

function isOlder(one: AnalysisSummary, other: AnalysisSummary): boolean {
  return (one.runs[0]?.run_id ?? '') < (other.runs[0]?.run_id ?? '');
}
