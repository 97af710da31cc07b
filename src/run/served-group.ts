import { mapConcurrently } from '../base/concurrency.js';
import { chunksOf } from '../base/lists.js';
import type { Config } from '../config/schema.js';
import type { ResultsDocument } from '../documents/results-document.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore } from '../store/results-store.js';
import { type AnalysisReport, failureSentence, reportOfFailure } from './analysis-report.js';
import { buildCommonReport, buildLateReport, buildReport } from './build-report.js';
import { type AnalysisResults, buildResultsDocument } from './build-results-document.js';
import type { DrawnCharts } from './draw-charts.js';
import type { CallerGroup } from './group-callers.js';
import type { RequireLock } from './guard-writes.js';
import {
  type Delivery,
  listPublished,
  type Publication,
  type RecipientOutcome,
} from './publish/publish.js';
import type { Recipient } from './publish/recipient-documents.js';
import type { PodReading } from './read/read-task.js';
import type { CallInTurn } from './turn.js';

/** How many own documents of one group are written at a time; only run-once has groups with several. */
const DOCUMENTS_AT_ONCE = 8;
/** Readers served side by side: many at once, because a reader's Pod can be slow to answer. */
const READERS_AT_ONCE = 256;
/** Run-once draws and publishes in batches, so that memory never holds the pictures of all. */
export const RECIPIENTS_PER_BATCH = 256;

export interface ServeTools {
  config: Config;
  results: ResultsStore;
  charts: ChartStore;
  /** Null when nothing is published. */
  publication: Publication | null;
  /** Gives the charts of these Pods, and possibly of others. Drawn charts are used again while they are valid. */
  chartsOf: (pods: readonly PodReading[]) => Promise<DrawnCharts>;
  answer: (callId: string, report: AnalysisReport) => void;
  onRecipient?: ((done: number, all: number) => void) | undefined;
  requireLock: RequireLock;
}

export interface StoredRun {
  document: ResultsDocument;
  path: string;
}

export interface ServedCalls {
  /** The stored run of each call, by the id of the call; calls of one WebID share one run. */
  documents: Map<string, StoredRun>;
  /** Failures on the Analyser's own side, because of which a caller did not get everything. */
  errors: unknown[];
}

/** Serves one group of calls: draws their charts, publishes their results and answers them. */
export class ServedGroup {
  /** One for each reader whose own document was to be written, even if the write failed. */
  readonly deliveries: Delivery[] = [];
  readonly #charts = new Map<string, string>();
  readonly #warnings: string[] = [];
  #failure: { error: unknown } | null = null;

  constructor(
    private readonly tools: ServeTools,
    private readonly analysis: AnalysisResults,
    private readonly group: CallerGroup,
    private readonly served: ServedCalls,
  ) {}

  /** Writes charts, the run document and the own documents. */
  async prepare(): Promise<void> {
    try {
      await this.#prepare();
    } catch (error) {
      // Readers whose own document is written still get its key.
      this.#failure = { error };
    }
  }

  /** Hands over the keys and answers the calls. */
  async end(): Promise<void> {
    try {
      const outcomes = await this.#handOver();
      if (this.#failure !== null) throw this.#failure.error;
      await this.#conclude(outcomes);
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error: unknown): void {
    this.served.errors.push(error);
    this.#answer(({ runId }) => reportOfFailure(error, runId));
  }

  async #prepare(): Promise<void> {
    const { tools, group } = this;
    if (group.late !== null) return;
    for (const batch of batchesOf(group.recipients)) {
      const pods = batch.map(({ pod }) => pod);
      const { pictures, warnings } = await tools.chartsOf(pods);
      this.#warnings.push(...pods.flatMap(({ owner }) => warnings.get(owner.webId) ?? []).sort());
      for (const { podId } of batch) {
        const picture = pictures.get(podId);
        if (picture === undefined) continue;
        this.#charts.set(podId, await tools.charts.write(podId, picture.png, picture.document));
      }
      // A result is published only after its run document is on the disk.
      await this.#store(this.#build([]));
      const { publication } = tools;
      if (publication === null) continue;
      const deliveries = await mapConcurrently(batch, DOCUMENTS_AT_ONCE, (recipient) =>
        publication.writeOwn(recipient, pictures.get(recipient.podId)?.png ?? null),
      );
      this.deliveries.push(...deliveries);
    }
  }

  async #handOver(): Promise<RecipientOutcome[]> {
    const { publication, onRecipient } = this.tools;
    if (publication === null) return [];
    let done = 0;
    return await mapConcurrently(this.deliveries, READERS_AT_ONCE, async (delivery) => {
      const outcome = await publication.handOver(delivery);
      done += 1;
      onRecipient?.(done, this.deliveries.length);
      return outcome;
    });
  }

  async #conclude(outcomes: readonly RecipientOutcome[]): Promise<void> {
    const { late } = this.group;
    if (late !== null) {
      this.#answer(({ runId }) => buildLateReport(late, runId, this.analysis.readingSeconds));
      return;
    }
    this.#warnings.push(...outcomes.flatMap(({ warnings }) => warnings).sort());
    const document = this.#build(outcomes);
    let problem: unknown = null;
    try {
      // Again, now with the outcome of each hand-over.
      if (outcomes.length > 0) await this.#store(document);
    } catch (error) {
      // Once a result has reached a recipient, a full disk does not make the call fail.
      if (!outcomes.some(({ own }) => own.recipients.length > 0)) throw error;
      problem = error;
    }
    this.served.errors.push(...outcomes.flatMap(({ errors }) => errors));
    if (problem !== null) this.served.errors.push(problem);
    const notStored =
      problem === null ? '' : ` The run document is incomplete. ${failureSentence(problem)}`;
    this.#answer(({ webId }) => {
      const report =
        webId === null
          ? buildCommonReport(this.analysis, document)
          : buildReport(this.analysis, document, webId, this.tools.config.sharing);
      return { ...report, message: `${report.message}${notStored}`.trim() };
    });
  }

  #build(outcomes: readonly RecipientOutcome[]): ResultsDocument {
    const { calls, recipients } = this.group;
    const [call = { runId: '', webId: null }] = calls;
    return buildResultsDocument(this.tools.config, this.analysis, {
      ...call,
      recipients,
      charts: this.#charts,
      published: listPublished(outcomes),
      warnings: this.#warnings,
    });
  }

  async #store(document: ResultsDocument): Promise<void> {
    if (!this.group.isRecorded) return;
    const run = { document, path: await this.tools.results.write(document) };
    for (const { id } of this.group.calls) this.served.documents.set(id, run);
  }

  #answer(reportFor: (call: CallInTurn) => AnalysisReport): void {
    for (const call of this.group.calls) this.tools.answer(call.id, reportFor(call));
  }
}

/** At least one batch: a run without recipients has a run document as well. */
function batchesOf(recipients: readonly Recipient[]): Recipient[][] {
  return recipients.length === 0 ? [[]] : chunksOf(recipients, RECIPIENTS_PER_BATCH);
}
