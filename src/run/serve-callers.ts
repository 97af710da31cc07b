import { setTimeout as pause } from 'node:timers/promises';
import { mapConcurrently } from '../base/concurrency.js';
import { compare, groupBy } from '../base/lists.js';
import { studyPeriod } from '../base/study-period.js';
import type { ResultsDocument } from '../documents/results-document.js';
import type { FoundMemory } from '../memory/stored-memory.js';
import { type AnalysisReport, failureSentence, reportOfFailure } from './analysis-report.js';
import type { AnalysisTools } from './analysis-tools.js';
import type { NamedCall } from './assignment.js';
import { buildCommonReport, buildLateReport, buildReport } from './build-report.js';
import { type AnalysisResults, buildResultsDocument } from './build-results-document.js';
import type { Conclusion } from './conclude/conclude.js';
import type { Connection } from './connection.js';
import type { Picture } from './draw-charts.js';
import { ownPodClient } from './own-pod-client.js';
import { documentKeys } from './publish/document-keys.js';
import {
  type Delivery,
  listPublished,
  Publication,
  type RecipientOutcome,
} from './publish/publish.js';
import { isReadable, type PodReading } from './read/pod-reading.js';
import { type Gathered, leavesOut, namesOthersOf } from './table/gather-shares.js';

/** How long callers wait at most for what is written to the Analyser's own Pod. Nobody waits for run-once. */
const OWN_POD_MS = 60_000;
/** How long the last answer waits at most for what only the Analyser's own documents need. */
const OWN_LOG_MS = 1_000;
/** How many own documents are written at a time. All of them go to one Pod, the Analyser's. */
const DOCUMENTS_AT_ONCE = 8;

export interface StoredRun {
  document: ResultsDocument;
  path: string;
}

export interface ServedCalls {
  /** The stored run of each call, by the id of the call; calls of one WebID share one run. */
  documents: Map<string, StoredRun>;
  /** Failures on the Analyser's own side, because of which a caller did not get everything. */
  errors: unknown[];
  /** Warnings for the operator's log; they name nobody. */
  notices: readonly string[];
}

interface Serving {
  before: FoundMemory;
  /** The calls that were not stopped. */
  calls: readonly NamedCall[];
  pictureOf: (pod: PodReading) => Promise<Picture>;
  answer: (callId: string, report: AnalysisReport) => void;
  onRecipient?: ((done: number, all: number) => void) | undefined;
  /** Aborts when the service stops and waits no longer. */
  stop: AbortSignal;
}

/** Calls that share a publication and a run document: all calls of one WebID, or the only call of run-once. */
export interface CallerGroup {
  webId: string | null;
  calls: readonly NamedCall[];
  /** Who is given a result. */
  recipients: readonly PodReading[];
  /** The caller's Pod, if there was no time for all that its result needs: then the calls fail. Else null. */
  late: PodReading | null;
  /**
   * False for a WebID of which nothing is known, since anybody can invent one, and for one that the operator leaves
   * out: then no run document is stored.
   */
  isRecorded: boolean;
}

/** Two calls of one WebID share a publication; run-once publishes for everybody. */
export function groupCallers(
  calls: readonly NamedCall[],
  { contributors }: Pick<Conclusion, 'contributors'>,
  gathered: Pick<Gathered, 'notWanted' | 'excluded'>,
): CallerGroup[] {
  const isKnown = (webId: string) => namesOthersOf(gathered, webId) && !leavesOut(gathered, webId);
  const byWebId = new Map(contributors.map((pod) => [pod.owner.webId, pod]));
  return Array.from(
    groupBy(calls, ({ webId }) => webId),
    ([webId, ofCaller]) => {
      const own = webId === null ? null : (byWebId.get(webId) ?? null);
      const served = webId === null ? contributors : [own].flatMap((pod) => pod ?? []);
      return {
        ...{ webId, calls: ofCaller },
        recipients: served.filter(isReadable),
        late: own?.isLate === true ? own : null,
        isRecorded: webId === null || own !== null || isKnown(webId),
      };
    },
  );
}

/** A group on its way through the steps below. */
interface Served extends CallerGroup {
  charts: Map<string, string>;
  warnings: string[];
  deliveries: Delivery[];
  /** Why its calls fail. */
  failure: { error: unknown } | null;
}

/**
 * Steps 6 to 8, past the last checkpoint: the run documents, then everybody's own documents, then the one of the
 * cohort. Then hands over the keys and answers for all callers side by side, so that nobody waits for another's Pod. A
 * failure for one caller does not affect the others.
 */
export async function serveCallers(
  tools: AnalysisTools,
  connection: Connection,
  analysis: AnalysisResults,
  { before, calls, pictureOf, answer, onRecipient, stop }: Serving,
): Promise<ServedCalls> {
  const { config, charts, results, now } = tools;
  const { sharing } = config;
  const groups = groupCallers(calls, analysis.conclusion, analysis.gathered).map(
    (group): Served => ({
      ...group,
      ...{ charts: new Map(), warnings: [], deliveries: [], failure: null },
    }),
  );
  const isForAll = groups.some(({ webId }) => webId === null);
  const limits = { limitMs: isForAll ? null : OWN_POD_MS, stop };
  const own = ownPodClient(connection.client, connection.pod.root, limits);
  const settings = {
    ...{ sharing, analyser: connection.pod, disclose: analysis.told.disclose },
    ...{ generatedAt: analysis.generatedAt, period: studyPeriod(config.analysis) },
  };
  const keyOf = sharing.encrypt_results ? documentKeys(connection, before) : null;
  const isPublished = sharing.enabled && groups.some(({ recipients }) => recipients.length > 0);
  const publication = isPublished ? new Publication(connection, own, settings, keyOf, now) : null;
  const documents: ServedCalls['documents'] = new Map();
  const errors: unknown[] = [];

  const documentOf = (group: Served, outcomes: readonly RecipientOutcome[]) =>
    buildResultsDocument(config, analysis, {
      ...{ runId: group.calls[0]?.runId ?? '', webId: group.webId, recipients: group.recipients },
      ...{ charts: group.charts, published: listPublished(outcomes), warnings: group.warnings },
    });
  /** Called before publishing, and once more with what was published. */
  const store = async ({ calls: ofGroup, isRecorded }: Served, document: ResultsDocument) => {
    if (!isRecorded) return;
    const path = await results.write(document, publication?.hasSentFigures);
    for (const { id } of ofGroup) documents.set(id, { document, path });
  };
  const orFail = async (group: Served, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      group.failure = { error };
    }
  };
  const publishOwn = async (group: Served, pod: PodReading) => {
    const { podId } = pod.owner;
    const { png, warning } = await pictureOf(pod);
    if (warning !== null) group.warnings.push(warning);
    if (png !== null) group.charts.set(podId, await charts.write(podId, png));
    if (publication === null) return;
    group.deliveries.push({ pod, own: await publication.writeOwn(pod, png) });
  };
  const handOver = async ({ deliveries }: Served): Promise<RecipientOutcome[]> => {
    if (publication === null) return [];
    let done = 0;
    return await mapConcurrently(deliveries, deliveries.length, async (delivery) => {
      const outcome = await publication.handOver(delivery);
      done += 1;
      onRecipient?.(done, deliveries.length);
      return outcome;
    });
  };
  const finish = async (group: Served): Promise<AnalysisReport> => {
    if (group.late !== null) return buildLateReport(group.late, analysis.readingSeconds);
    // Readers whose own document is written get its key, whatever else has failed.
    const outcomes = await handOver(group);
    if (group.failure !== null) throw group.failure.error;
    errors.push(...outcomes.flatMap((outcome) => outcome.errors));
    group.warnings.push(...outcomes.flatMap(({ warnings }) => warnings).sort());
    const document = documentOf(group, outcomes);
    const { webId, isRecorded } = group;
    const report =
      webId === null
        ? buildCommonReport(analysis, document)
        : buildReport(analysis, document, webId, sharing);
    // By now the results may have reached their recipients, so a full disk does not make the call fail.
    const problem = await store(group, document).then(
      () => '',
      (error: unknown) => {
        errors.push(error);
        return ` The run document is incomplete. ${failureSentence(error)}`;
      },
    );
    const message = `${report.message}${problem}`.trim();
    return { ...report, message, run_id: isRecorded ? report.run_id : '' };
  };

  try {
    const open = groups.filter(({ late }) => late === null);
    // A result is published only after its run document is on the disk.
    for (const group of open) await orFail(group, () => store(group, documentOf(group, [])));
    const recipients = open
      .filter(({ failure }) => failure === null)
      .flatMap((group) => group.recipients.map((pod) => ({ group, pod })));
    await mapConcurrently(recipients, DOCUMENTS_AT_ONCE, ({ group, pod }) =>
      orFail(group, () => publishOwn(group, pod)),
    );
    for (const group of open) group.deliveries.sort(byRoot);
    const deliveries = open.flatMap((group) => group.deliveries);
    const notClosed = await publication?.writeCohort(deliveries);
    if (notClosed) errors.push(notClosed);
    // Beside the hand-over: readers do not look there.
    const storingKeys = publication?.storeKeys(deliveries) ?? Promise.resolve([]);
    // A failure is thrown when it is waited for.
    storingKeys.catch(() => undefined);
    let logging: Promise<string[]> = Promise.resolve([]);
    let unfinished = groups.length;
    await Promise.all(
      groups.map(async (group) => {
        const report = await finish(group).catch((error: unknown) => {
          errors.push(error);
          return reportOfFailure(error);
        });
        unfinished -= 1;
        if (unfinished === 0 && publication !== null) {
          // One request for all. Who looks there after the last answer finds it, unless the server is slow.
          logging = publication.logOwnGrants();
          await Promise.race([Promise.allSettled([storingKeys, logging]), pause(OWN_LOG_MS)]);
        }
        for (const { id } of group.calls) answer(id, report);
      }),
    );
    return {
      documents,
      errors: [...new Set(errors)],
      notices: [...(await storingKeys), ...(await logging)],
    };
  } finally {
    own.end();
  }
}

function byRoot(one: Delivery, other: Delivery): number {
  return compare(one.pod.owner.root, other.pod.owner.root);
}
