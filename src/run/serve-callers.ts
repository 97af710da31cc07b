import { mapConcurrently } from '../base/concurrency.js';
import { chunksOf } from '../base/lists.js';
import type { Config } from '../config/schema.js';
import type { ResultsDocument } from '../documents/results-document.js';
import { type AnalysisReport, failureSentence, reportOfFailure } from '../queue/analysis-report.js';
import type { CallInTurn } from '../queue/turn.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore } from '../store/results-store.js';
import { buildCommonReport, buildReport } from './build-report.js';
import { type AnalysisResults, buildResultsDocument } from './build-results-document.js';
import type { DrawnCharts } from './draw-charts.js';
import type { CallerGroup } from './group-callers.js';
import { listPublished, type Publication, type RecipientOutcome } from './publish/publish.js';
import type { Recipient } from './publish/recipient-documents.js';
import type { PodReading } from './read/read-task.js';

/** Recipients served at a time, of all callers together. */
const RECIPIENTS_AT_ONCE = 8;
/** Run-once draws and publishes in batches, so that memory never holds the pictures of all. */
export const RECIPIENTS_PER_BATCH = 256;

export interface ServeTools {
  config: Config;
  results: ResultsStore;
  charts: ChartStore;
  /** Null: nothing is published. */
  publication: Publication | null;
  /** The charts of these Pods, and possibly of others; those drawn already, where they still hold. */
  chartsOf: (pods: readonly PodReading[]) => Promise<DrawnCharts>;
  /** Those of these that may still be served, asked before each batch but the first. */
  stillRemembered: (batch: readonly Recipient[]) => Promise<readonly Recipient[]>;
  answer: (callId: string, report: AnalysisReport) => void;
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

export interface StoredRun {
  document: ResultsDocument;
  path: string;
}

export interface ServedCalls {
  /** By the id of the call. */
  documents: Map<string, StoredRun>;
  /** Failures on the Analyser's own side that kept something from a caller. */
  errors: unknown[];
}

/**
 * Steps 6 to 8, past the last checkpoint: chart, run document, publication and answer of each
 * caller. A failure for one caller does not affect the others.
 */
export async function serveCallers(
  tools: ServeTools,
  analysis: AnalysisResults,
  groups: readonly CallerGroup[],
): Promise<ServedCalls> {
  const served: ServedCalls = { documents: new Map(), errors: [] };
  await mapConcurrently(groups, RECIPIENTS_AT_ONCE, async (group) => {
    try {
      await serveGroup(tools, analysis, group, served);
    } catch (error) {
      served.errors.push(error);
      for (const { id, runId } of group.calls) {
        tools.answer(id, reportOfFailure(error, runId));
      }
    }
  });
  return served;
}

async function serveGroup(
  tools: ServeTools,
  analysis: AnalysisResults,
  group: CallerGroup,
  served: ServedCalls,
): Promise<void> {
  const charts = new Map<string, string>();
  const warnings: string[] = [];
  const outcomes: RecipientOutcome[] = [];
  // By the id of the call. What they say is told even if the last ones cannot be written.
  const documents = new Map<string, ResultsDocument>();
  const storeRuns = async () => {
    const published = listPublished(outcomes);
    const { recipients } = group;
    for (const call of group.calls) {
      const content = { ...call, recipients, charts, published, warnings };
      documents.set(call.id, buildResultsDocument(tools.config, analysis, content));
    }
    for (const [id, document] of documents) {
      served.documents.set(id, { document, path: await tools.results.write(document) });
    }
  };
  for (const [index, wanted] of batchesOf(group.recipients).entries()) {
    const batch = index === 0 ? wanted : await tools.stillRemembered(wanted);
    const pods = batch.map(({ pod }) => pod);
    const drawn = await tools.chartsOf(pods);
    warnings.push(...pods.flatMap(({ owner }) => drawn.warnings.get(owner.webId) ?? []).sort());
    for (const { podId } of pods.map(({ owner }) => owner)) {
      const picture = drawn.pictures.get(podId);
      if (picture === undefined) continue;
      charts.set(podId, await tools.charts.write(podId, picture.png, picture.document));
    }
    // A result is published only after its run document is on the disk.
    await storeRuns();
    outcomes.push(...(await publishBatch(tools, batch, drawn, outcomes.length, group)));
  }
  const publications = outcomes.flatMap(({ own, cohort }) =>
    cohort === null ? [own] : [own, cohort],
  );
  warnings.push(...publications.flatMap((publication) => publication.warnings).sort());
  let problem: unknown = null;
  try {
    // Again, with what has arrived.
    if (outcomes.length > 0) await storeRuns();
  } catch (error) {
    // Once a result has reached its recipient, a full disk does not make its call fail.
    if (!outcomes.some(({ own }) => own.entry.recipients.length > 0)) throw error;
    problem = error;
  }
  served.errors.push(...publications.flatMap(({ error }) => error ?? []));
  if (problem !== null) served.errors.push(problem);
  const digests = new Map(
    outcomes.flatMap(({ own, sha256 }) => own.entry.recipients.map((webId) => [webId, sha256])),
  );
  for (const call of group.calls)
    answerCall(tools, analysis, { documents, digests }, call, problem);
}

/** At least one batch: a run without recipients has a run document as well. */
function batchesOf(recipients: readonly Recipient[]): Recipient[][] {
  return recipients.length === 0 ? [[]] : chunksOf(recipients, RECIPIENTS_PER_BATCH);
}

async function publishBatch(
  { publication, onRecipient }: ServeTools,
  batch: readonly Recipient[],
  { pictures }: DrawnCharts,
  before: number,
  { recipients }: CallerGroup,
): Promise<RecipientOutcome[]> {
  if (publication === null) return [];
  let done = before;
  return await mapConcurrently(batch, RECIPIENTS_AT_ONCE, async (recipient) => {
    const picture = pictures.get(recipient.pod.owner.podId)?.png ?? null;
    const outcome = await publication.publishFor(recipient, picture);
    done += 1;
    onRecipient?.(done, recipients.length);
    return outcome;
  });
}

/** What was stored for the calls of a group, or should have been. */
interface Told {
  /** By the id of the call. */
  documents: ReadonlyMap<string, ResultsDocument>;
  /** Of the own results, by WebID, in hex. */
  digests: ReadonlyMap<string, string>;
}

function answerCall(
  { answer }: ServeTools,
  analysis: AnalysisResults,
  { documents, digests }: Told,
  { id, webId }: CallInTurn,
  problem: unknown,
): void {
  const document = documents.get(id);
  if (document === undefined) return;
  const report =
    webId === null
      ? buildCommonReport(analysis, document)
      : buildReport(analysis, document, webId, digests.get(webId));
  const notStored =
    problem === null ? '' : ` The run document is incomplete. ${failureSentence(problem)}`;
  answer(id, { ...report, message: `${report.message}${notStored}`.trim() });
}
