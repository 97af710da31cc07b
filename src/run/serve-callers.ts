import type { CohortSummary } from '../analysis/summary.js';
import { messageOf } from '../base/errors.js';
import { mapConcurrently } from '../base/map-concurrently.js';
import type { Config } from '../config/schema.js';
import type {
  PublishedEntry,
  ReleaseEntry,
  ResultsDocument,
} from '../documents/results-document.js';
import { type AnalysisReport, reportWithoutResult } from '../queue/analysis-report.js';
import { failureSentence } from '../queue/failure-sentence.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore } from '../store/results-store.js';
import { buildCommonReport, buildReport, type Reported } from './build-report.js';
import { buildResults } from './build-results.js';
import type { ChartSource, DrawnCharts } from './draw-charts.js';
import type { NamedCall } from './named-turn.js';
import { type Delivered, listPublished, type Publication } from './publish/publish.js';
import type { PodResult } from './read/pod-result.js';

/** So many recipients at a time, of whichever caller. */
const RECIPIENTS_AT_ONCE = 8;
/** Run-once draws and publishes so many at a time, so that the pictures of all never gather. */
export const RECIPIENTS_PER_BATCH = 256;

/** Calls that share a publication: those of one WebID, or run-once with every contributor. */
export interface CallerGroup {
  calls: readonly NamedCall[];
  recipients: readonly PodResult[];
}

export interface ServeTools {
  config: Config;
  results: ResultsStore;
  charts: ChartStore;
  /** Null: nothing is published. */
  publication: Publication | null;
  /** The charts of these recipients. */
  draw: ChartSource;
  answer: (callId: string, report: AnalysisReport) => void;
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

/** What all run documents of one analysis have in common. */
export interface Findings extends Omit<Reported, 'document'> {
  generatedAt: string;
  cohort: CohortSummary;
  /** Those of which something could be read. */
  read: readonly PodResult[];
  /** Null: callers are sent the exact figures. */
  release: ReleaseEntry | null;
  warnings: readonly string[];
}

/** A run document and where it is stored. */
export interface StoredRun {
  document: ResultsDocument;
  path: string;
}

export interface Served {
  /** By the id of the call. */
  documents: Map<string, StoredRun>;
  /** What kept callers from what was meant for them, on the Analyser's own side. */
  errors: unknown[];
}

/**
 * Steps 6 to 8, past the last checkpoint: each caller's chart, run document, publication and
 * answer, as soon as their own part is done. What fails for one caller fails for that one alone.
 */
export async function serveCallers(
  tools: ServeTools,
  findings: Findings,
  groups: readonly CallerGroup[],
): Promise<Served> {
  const served: Served = { documents: new Map(), errors: [] };
  await mapConcurrently(groups, RECIPIENTS_AT_ONCE, async (group) => {
    try {
      await serveGroup(tools, findings, group, served);
    } catch (error) {
      served.errors.push(error);
      for (const { id, runId } of group.calls) {
        tools.answer(id, reportWithoutResult('FAILED', failureSentence(error), runId));
      }
    }
  });
  return served;
}

async function serveGroup(
  tools: ServeTools,
  findings: Findings,
  group: CallerGroup,
  served: Served,
): Promise<void> {
  const chartNames = new Map<string, string>();
  const warnings = [...findings.warnings];
  const record = async (published: PublishedEntry[]) => {
    for (const call of group.calls) {
      const document = buildResults(tools.config, {
        runId: call.runId,
        generatedAt: findings.generatedAt,
        requestedBy: call.webId,
        cohort: findings.cohort,
        pods: findings.read,
        charts: chartNames,
        published,
        release: findings.release,
        warnings,
      });
      served.documents.set(call.id, { document, path: await tools.results.write(document) });
    }
  };
  const delivered: Delivered[] = [];
  for (const batch of batchesOf(group.recipients)) {
    const drawn = await tools.draw(batch);
    warnings.push(...[...drawn.warnings.values()].sort());
    for (const [podId, picture] of drawn.pictures) {
      chartNames.set(podId, await tools.charts.write(podId, picture));
    }
    // Nothing is published without its record.
    await record(listPublished(delivered));
    delivered.push(...(await deliver(tools, batch, drawn, delivered.length, group)));
  }
  warnings.push(...delivered.flatMap((one) => one.warnings).sort());
  const problem = await recordDelivered(() => record(listPublished(delivered)), delivered);
  for (const { error, cohortError } of delivered) {
    served.errors.push(...[error, cohortError].filter((one) => one !== null));
  }
  if (problem !== null) served.errors.push(problem);
  for (const call of group.calls) answerCall(tools, findings, served, call, delivered, problem);
}

/** Run-once without a recipient is recorded all the same. */
function batchesOf(recipients: readonly PodResult[]): PodResult[][] {
  const batches: PodResult[][] = [];
  for (let start = 0; start === 0 || start < recipients.length; start += RECIPIENTS_PER_BATCH) {
    batches.push(recipients.slice(start, start + RECIPIENTS_PER_BATCH));
  }
  return batches;
}

async function deliver(
  { publication, onRecipient }: ServeTools,
  batch: readonly PodResult[],
  { pictures }: DrawnCharts,
  before: number,
  { recipients }: CallerGroup,
): Promise<Delivered[]> {
  if (publication === null) return [];
  const delivered: Delivered[] = [];
  let done = before;
  await mapConcurrently(batch.entries(), RECIPIENTS_AT_ONCE, async ([index, pod]) => {
    delivered[index] = await publication.deliver(pod, pictures.get(pod.owner.podId) ?? null);
    done += 1;
    onRecipient?.(done, recipients.length);
  });
  return delivered;
}

/** A result that has reached its recipient is not taken back by a disk that is full. */
async function recordDelivered(
  record: () => Promise<void>,
  delivered: readonly Delivered[],
): Promise<unknown> {
  try {
    if (delivered.length > 0) await record();
    return null;
  } catch (error) {
    if (!delivered.some(({ own }) => own.recipients.length > 0)) throw error;
    return error;
  }
}

function answerCall(
  { answer }: ServeTools,
  findings: Findings,
  { documents }: Served,
  { id, webId, runId }: NamedCall,
  delivered: readonly Delivered[],
  problem: unknown,
): void {
  const document = documents.get(id)?.document;
  if (document === undefined) return;
  const [own] = delivered;
  if (webId !== null && own !== undefined && own.error !== null) {
    answer(id, reportWithoutResult('FAILED', failureSentence(own.error), runId));
    return;
  }
  const reported = { ...findings, document };
  const report = webId === null ? buildCommonReport(reported) : buildReport(reported, webId);
  const unrecorded =
    problem === null ? '' : ` The service could not record it: ${messageOf(problem)}`;
  answer(id, { ...report, message: `${report.message}${unrecorded}`.trim() });
}
