import { setTimeout as pause } from 'node:timers/promises';
import { mapConcurrently } from '../../base/concurrency.js';
import { type AnalyserError, failureOf } from '../../base/errors.js';
import { compare, present } from '../../base/lists.js';
import type { ResultsDocument } from '../../documents/results-document.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import { type AnalysisReport, failureSentence, reportOfFailure } from '../analysis-report.js';
import type { AnalysisTools } from '../analysis-tools.js';
import type { NamedCall } from '../assignment.js';
import type { Connection } from '../connection.js';
import { limits } from '../limits.js';
import { ownPodClient } from '../own-pod-client.js';
import type { PodReading } from '../read/pod-reading.js';
import type { AnalysisResults } from './build-run-document.js';
import { documentKeys, storeKeys } from './document-keys.js';
import type { Picture } from './draw-picture.js';
import { type CallerGroup, groupCallers } from './group-callers.js';
import { HandOvers, handOver, listPublished, logGrantsOfAnalyser } from './hand-over.js';
import {
  newPublication,
  type Publication,
  reportOf,
  runDocumentOf,
  type ServedCalls,
  type StoredRun,
} from './publication.js';
import {
  closeToReaders,
  cohortAddress,
  cohortDocument,
  ownDocument,
  type Publishing,
  type Written,
  writeForRecipients,
} from './recipient-documents.js';

/** How many own documents are written at a time. All of them go to one Pod, the Analyser's. */
const DOCUMENTS_AT_ONCE = 8;

interface Serving {
  before: FoundMemory;
  /** The calls that were not cancelled before the last checkpoint. */
  calls: readonly NamedCall[];
  answer: (callId: string, report: AnalysisReport) => void;
  writingEnds: AbortSignal;
  pictureOf: (pod: PodReading) => Promise<Picture>;
  /** Is told how many recipients of a group have been handed their keys. */
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

/**
 * What is left of step 6, and steps 7 and 8, past the last checkpoint. A result is published only after its run
 * document is on the disk. A failure for one caller does not affect the others.
 */
export async function publish(
  tools: AnalysisTools,
  connection: Connection,
  analysis: AnalysisResults,
  serving: Serving,
): Promise<ServedCalls> {
  const { sharing } = tools.config;
  const groups = groupCallers(serving.calls, analysis.conclusion.contributors, analysis.gathered);
  const isForAll = groups.some(({ webId }) => webId === null);
  const analyserPod = ownPodClient(connection.client, connection.pod.root, {
    limitMs: isForAll ? null : limits.ownPodMs,
    writingEnds: serving.writingEnds,
  });
  const { generatedAt, period, conclusion } = analysis;
  const { told, cohort } = conclusion;
  const settings = {
    sharing,
    analyser: connection.pod,
    podCount: cohort.pod_count,
    disclose: told.disclose,
    noise: told.release?.noise,
    generatedAt,
    period,
  };
  const keyOf = sharing.encrypt_results ? documentKeys(connection, serving.before) : null;
  const publishing = sharing.enabled ? { connection, analyserPod, settings, keyOf } : null;
  try {
    return await new Publisher(tools, analysis, serving, publishing).publish(groups);
  } finally {
    analyserPod.end();
  }
}

class Publisher {
  readonly #handOvers = new HandOvers();

  constructor(
    readonly tools: AnalysisTools,
    readonly analysis: AnalysisResults,
    private readonly serving: Serving,
    /** Null when nothing is published. */
    private readonly publishing: Publishing | null,
  ) {}

  async publish(groups: readonly CallerGroup[]): Promise<ServedCalls> {
    const all = groups.map(newPublication);
    for (const each of all) await this.#record(each);
    const recipients = all
      .filter(({ failure }) => failure === null)
      .flatMap((each) => each.group.recipients.map((pod) => ({ each, pod })));
    await mapConcurrently(recipients, DOCUMENTS_AT_ONCE, ({ each, pod }) => this.#write(each, pod));
    // After all own documents, because only recipients with a document of their own may read that of the cohort.
    const { cohort, notClosed } = await this.#writeCohort(all);
    const documents = present([
      ...all.flatMap(({ results }) => results.map(({ own }) => own)),
      cohort,
    ]);
    return await this.#handOverAndAnswer(all, { cohort, documents, notClosed });
  }

  async #store(document: ResultsDocument, hasSentFigures: boolean): Promise<StoredRun> {
    return { document, path: await this.tools.results.write(document, hasSentFigures) };
  }

  async #record(each: Publication): Promise<void> {
    try {
      if (each.group.isRecorded) each.run = await this.#store(runDocumentOf(each, [], this), false);
    } catch (error) {
      each.failure = { error };
    }
  }

  async #write(each: Publication, pod: PodReading): Promise<void> {
    const { podId } = pod.owner;
    try {
      const { png, warning } = await this.serving.pictureOf(pod);
      if (warning !== null) each.warnings.push(warning);
      if (png !== null) each.charts.set(podId, await this.tools.charts.write(podId, png));
      if (this.publishing === null) return;
      const document = ownDocument(this.publishing.settings, pod, png);
      each.results.push({ pod, own: await writeForRecipients(this.publishing, document) });
    } catch (error) {
      each.failure ??= { error };
    }
  }

  /** Once, for all readers whose own document was written. Where the cohort is not shared any more, it is closed. */
  async #writeCohort(all: readonly Publication[]) {
    const { publishing } = this;
    const none = { cohort: null, notClosed: null };
    if (publishing === null) return none;
    const { settings, connection, analyserPod: client } = publishing;
    if (!settings.sharing.share_cohort_average) {
      const closing = closeToReaders({ client, pod: connection.pod }, cohortAddress(settings));
      return { ...none, notClosed: await failureOf(closing) };
    }
    const written = all.flatMap(({ results }) => results).filter(({ own }) => own.failure === null);
    if (written.length === 0) return none;
    const readers = written.map(({ pod }) => pod).sort(byRoot);
    return {
      ...none,
      cohort: await writeForRecipients(publishing, cohortDocument(settings, readers)),
    };
  }

  /**
   * Hands over the keys and answers for all callers side by side, so that nobody waits for another's Pod. The keys are kept
   * beside that, because recipients do not look into ind-keys.ttl; the Analyser's own log is written last, once for all.
   */
  async #handOverAndAnswer(
    all: readonly Publication[],
    { cohort, documents, notClosed }: Documents,
  ): Promise<ServedCalls> {
    const { publishing } = this;
    const errors: unknown[] = present([notClosed]);
    const keeping = publishing === null ? Promise.resolve([]) : storeKeys(publishing, documents);
    // A failure is thrown when it is waited for.
    keeping.catch(() => undefined);
    let logging: Promise<string[]> = Promise.resolve([]);
    let unanswered = all.length;
    const hasSentFigures = documents.some((document) => document.hasSentFigures);
    await Promise.all(
      all.map(async (each) => {
        try {
          errors.push(...(await this.#handOver(each, cohort, hasSentFigures)));
        } catch (error) {
          each.failure ??= { error };
        }
        if (each.failure !== null) errors.push(each.failure.error);
        unanswered -= 1;
        if (unanswered === 0 && publishing !== null) {
          // One request for all. Who looks there after the last answer finds it, unless the server is slow.
          logging = logGrantsOfAnalyser(
            publishing,
            all.flatMap(({ granted }) => granted),
          );
          const inTime = pause(limits.ownLogMs, undefined, { ref: false });
          await Promise.race([Promise.allSettled([keeping, logging]), inTime]);
        }
        const { failure, report } = each;
        const answer = failure === null ? report : reportOfFailure(failure.error);
        for (const { id } of each.group.calls)
          this.serving.answer(id, answer ?? reportOfFailure(null));
      }),
    );
    return {
      runs: present(all.map(({ run }) => run)),
      errors: [...new Set(errors)],
      notices: [...(await keeping), ...(await logging)],
    };
  }

  /** Returns failures on the Analyser's own side; what fails for a recipient becomes a warning. */
  async #handOver(
    each: Publication,
    cohort: Written | null,
    hasSentFigures: boolean,
  ): Promise<unknown[]> {
    const { group, results } = each;
    const { tools, publishing, serving } = this;
    let done = 0;
    results.sort((one, other) => byRoot(one.pod, other.pod));
    // Recipients whose own document is written get its key, whatever else has failed.
    const outcomes = await mapConcurrently(results, results.length, async ({ pod, own }) => {
      const how = { handOvers: this.#handOvers, now: tools.now };
      const outcome = publishing && (await handOver(publishing, { pod, own }, cohort, how));
      done += 1;
      serving.onRecipient?.(done, results.length);
      return outcome;
    });
    const received = present(outcomes);
    each.granted = received.flatMap((outcome) => outcome.granted);
    each.warnings.push(...received.flatMap(({ warnings }) => warnings));
    const errors: unknown[] = received.flatMap((outcome) => outcome.errors);
    const document = runDocumentOf(each, listPublished(received), this);
    each.report = reportOf(each, document, this);
    try {
      // Also of a group that fails: others of it may have got their results.
      if (group.isRecorded) each.run = await this.#store(document, hasSentFigures);
    } catch (error) {
      // By now the results may have reached their recipients, so a full disk does not make the call fail.
      const problem = `The run document is incomplete. ${failureSentence(error)}`;
      each.report.message = `${each.report.message} ${problem}`.trim();
      errors.push(error);
    }
    return errors;
  }
}

interface Documents {
  /** Null if the document is not shared, or nobody may read it. */
  cohort: Written | null;
  documents: readonly Written[];
  /** Why the document of an earlier analysis could not be closed, though the cohort is not shared any more. */
  notClosed: AnalyserError | null;
}

function byRoot(one: PodReading, other: PodReading): number {
  return compare(one.owner.root, other.owner.root);
}
