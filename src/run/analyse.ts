import type { AnalysisRules } from '../analysis/pod-aggregate.js';
import { summariseCohort } from '../analysis/summarise-cohort.js';
import { formatUtc } from '../base/utc-time.js';
import type { Config } from '../config/schema.js';
import { canonicalWebId } from '../pod/addresses.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore } from '../store/results-store.js';
import { removeOld } from '../store/retention.js';
import type { AnalysisResults } from './build-results.js';
import type { Connection } from './connection.js';
import { discoverShares } from './discover/discover-shares.js';
import { collectLedgerNews, keepShares } from './discover/keep-shares.js';
import { nameOwners } from './discover/owner-names.js';
import { findVanishedShares } from './discover/vanished-shares.js';
import { type DrawChart, drawCharts } from './draw-charts.js';
import type { NamedCall, NamedTurn } from './named-turn.js';
import type { Observer } from './observer.js';
import { Publication } from './publish/publish.js';
import { cohortDisclosure } from './publish/what-readers-see.js';
import { breakerFor } from './read/circuit-breaker.js';
import { countUnanswered, partialWarnings } from './read/partial-cohort.js';
import type { PodReader } from './read/pod-reader.js';
import type { PodResult } from './read/pod-result.js';
import { readUndisputed } from './read/undisputed-reading.js';
import { isRecipient, type Recipients } from './recipients.js';
import { planRelease } from './release/cohort-release.js';
import {
  type CallerGroup,
  RECIPIENTS_PER_BATCH,
  type ServedCalls,
  serveCallers,
} from './serve-callers.js';

export interface AnalysisTools {
  config: Config;
  podReader: PodReader;
  drawChart: DrawChart;
  results: ResultsStore;
  charts: ChartStore;
  now: () => Date;
  observer: Observer;
}

export interface Progress {
  onPodRead?: (done: number, all: number) => void;
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

export interface FinishedAnalysis extends ServedCalls {
  /** Warnings for the operator's log; they name nobody. */
  notices: readonly string[];
}

/**
 * Steps 2 to 8 of docs/architecture.md, for all calls of the turn. It can be stopped between any
 * two steps. Each caller is answered through the turn as soon as their own part is done.
 */
export async function analyse(
  tools: AnalysisTools,
  connection: Connection,
  turn: NamedTurn,
  { onPodRead, onRecipient }: Progress = {},
): Promise<FinishedAnalysis> {
  const prepared = await prepare(tools, connection, turn, onPodRead);
  // The last checkpoint, for all calls at once. Nothing has been written so far.
  const goingOn = await turn.commit();
  const calls = turn.calls.filter(({ id }) => goingOn.has(id));
  const answer: NamedTurn['answer'] = (id, report) => turn.answer(id, report);
  return await finish(tools, connection, prepared, { calls, answer, onRecipient });
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Steps 2 to 6, in memory. */
async function prepare(
  { config, podReader, drawChart, results, now, observer }: AnalysisTools,
  connection: Connection,
  { calls, signal }: NamedTurn,
  onPod: Progress['onPodRead'],
) {
  const { window_days, plausible } = config.analysis;
  const recipients = recipientsOf(calls);
  const breaker = breakerFor(config, connection.pod, recipients);

  signal.throwIfAborted();
  const shares = await observer.step('discover', () =>
    discoverShares(connection, config, breaker, signal),
  );

  signal.throwIfAborted();
  const rules: AnalysisRules = { now: now().getTime(), windowDays: window_days, plausible };
  // The WebIDs as their owners spell them are known only once their files have opened.
  const awaited = recipients?.flatMap((webId) => canonicalWebId(webId) ?? []) ?? null;
  const task = { rules, recipients: awaited, breaker, onPod, signal };
  const reading = await observer.step('read', () =>
    readUndisputed(podReader, connection, shares, task),
  );
  const all = nameOwners(shares, reading.results);
  const news = await collectLedgerNews(
    connection,
    shares,
    reading,
    config.data.keep_removed_shares,
  );
  const unansweredPods = countUnanswered(all, shares.unlistedFolders);
  const [read, skipped] = [sum(all, 'filesRead'), sum(all, 'filesSkipped')];
  observer.note({ kind: 'files', read, skipped });

  signal.throwIfAborted();
  // Step 5.
  const pods = all.filter(({ filesRead }) => filesRead > 0);
  const summaries = pods.map(({ summary }) => summary);
  const cohort = summariseCohort(summaries, config.analysis.minimum_observations);
  const last = await results.readLatest();
  const vanished = last.state === 'found' ? findVanishedShares(last.document, all) : null;
  const warnings = [...(vanished === null ? [] : [vanished]), ...reading.warnings];

  signal.throwIfAborted();
  const drawn = pods.filter(({ owner }) => isRecipient(recipients, owner.webId));
  const release = await planRelease(config, connection, {
    cohort,
    pods,
    now: now(),
    signal,
    isSent: config.sharing.enabled && drawn.length > 0,
    isPartial: breaker.sawSilence || unansweredPods > 0,
  });
  const disclose = cohortDisclosure(config, cohort, pods, release?.figures ?? null);
  const drawAll = (chosen: readonly PodResult[], stop?: AbortSignal) =>
    drawCharts(config.output.render_charts ? drawChart : null, chosen, disclose, stop);
  const first = drawn.slice(0, RECIPIENTS_PER_BATCH);
  const charts = await observer.step('draw', () => drawAll(first, signal));
  const draw = async (chosen: readonly PodResult[]) =>
    chosen.every((pod) => first.includes(pod)) ? charts : await drawAll(chosen);
  return { shares, all, news, unansweredPods, pods, cohort, warnings, release, disclose, draw };
}

/** Steps 6 to 8, past the last checkpoint: everything is written, for the calls that go on. */
async function finish(
  tools: AnalysisTools,
  connection: Connection,
  prepared: Prepared,
  { calls, answer, onRecipient }: Pick<NamedTurn, 'calls' | 'answer'> & Progress,
): Promise<FinishedAnalysis> {
  const { config, now, observer } = tools;
  const { shares, all, news, unansweredPods, pods, cohort, release, disclose, draw } = prepared;
  const kept = await keepShares(connection.ledger, news, all);
  const groups = groupCalls(calls, pods);
  const readers = groups.flatMap((group) => group.recipients);
  const released = await release?.keep(readers.length > 0);
  await removeOld(config.output, stillSharing(all), now());
  const generatedAt = formatUtc(now());
  const analysed: AnalysisResults = {
    ...{ generatedAt, cohort, pods: all, read: pods, shares, unansweredPods },
    release: released ?? null,
    warnings: [
      ...(release?.warnings ?? []),
      ...partialWarnings(unansweredPods),
      ...kept,
      ...prepared.warnings,
      ...shares.warnings,
      ...all.flatMap((result) => result.warnings),
    ],
  };
  const settings = { sharing: config.sharing, analyser: connection.pod, generatedAt, disclose };
  const served = await observer.step('publish', () => {
    const publication =
      config.sharing.enabled && readers.length > 0
        ? new Publication(connection, settings, readers, now)
        : null;
    return serveCallers({ ...tools, publication, draw, answer, onRecipient }, analysed, groups);
  });
  return { ...served, notices: release?.warnings ?? [] };
}

function recipientsOf(calls: readonly NamedCall[]): Recipients {
  const webIds = calls.map(({ webId }) => webId);
  return webIds.includes(null) ? null : [...new Set(webIds.filter((webId) => webId !== null))];
}

/** Two calls of one WebID share a publication; run-once publishes for everybody. */
function groupCalls(calls: readonly NamedCall[], pods: readonly PodResult[]): CallerGroup[] {
  const byCaller = new Map<string | null, NamedCall[]>();
  for (const call of calls) {
    byCaller.set(call.webId, [...(byCaller.get(call.webId) ?? []), call]);
  }
  return [...byCaller].map(([webId, ofCaller]) => ({
    calls: ofCaller,
    recipients: pods.filter(({ owner }) => webId === null || owner.webId === webId),
  }));
}

function sum(pods: readonly PodResult[], field: 'filesRead' | 'filesSkipped'): number {
  return pods.reduce((total, pod) => total + pod[field], 0);
}

/** The pod_ids of all but those whose server refused every file. */
function stillSharing(pods: readonly PodResult[]): string[] {
  const hasLeft = ({ filesRead, traces }: PodResult) =>
    filesRead === 0 && traces.length > 0 && traces.every(({ outcome }) => outcome === 'refused');
  return pods.filter((pod) => !hasLeft(pod)).map(({ owner }) => owner.podId);
}
