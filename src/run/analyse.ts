import { formatUtc } from '../base/utc-time.js';
import type { Config } from '../config/schema.js';
import type { FoundMemory } from '../memory/stored-memory.js';
import type { ChartStore } from '../store/chart-store.js';
import type { ResultsStore } from '../store/results-store.js';
import { removeOld } from '../store/retention.js';
import { type Conclusion, conclude, type Findings } from './conclude/conclude.js';
import type { Connection } from './connection.js';
import { type DrawChart, type DrawnCharts, drawCharts } from './draw-charts.js';
import { gatherShares } from './gather/gather-shares.js';
import { groupCallers, hasRecipients } from './group-callers.js';
import type { NamedTurn } from './named-turn.js';
import type { Observer } from './observer.js';
import { Publication } from './publish/publish.js';
import type { Recipient } from './publish/result-documents.js';
import type { PodReader } from './read/read-shares.js';
import type { PodReading } from './read/read-task.js';
import { recipientsOf } from './recipients.js';
import {
  keepMemory,
  type MemoryPlace,
  memoryPlace,
  stillRemembered,
} from './remember/keep-memory.js';
import { RECIPIENTS_PER_BATCH, type ServedCalls, serveCallers } from './serve-callers.js';

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
  progress: Progress = {},
): Promise<FinishedAnalysis> {
  const analysis = await prepare(tools, connection, turn, progress);
  // The last checkpoint, for all calls at once. Nothing has been written so far.
  const goingOn = await turn.commit();
  const calls = turn.calls.filter(({ id }) => goingOn.has(id));
  const answer: NamedTurn['answer'] = (id, report) => turn.answer(id, report);
  return await tools.observer.step('publish', () =>
    finish(tools, connection, analysis, { calls, answer }, progress),
  );
}

/** An analysis before its last checkpoint, in memory. */
interface PreparedAnalysis {
  place: MemoryPlace;
  found: FoundMemory;
  findings: Findings;
  conclusion: Conclusion;
  /** Whether the conclusion expects somebody to be sent a figure. */
  isSent: boolean;
  /** Those of the first batch. */
  charts: DrawnCharts;
}

/** Steps 2 to 6. */
async function prepare(
  tools: AnalysisTools,
  connection: Connection,
  turn: NamedTurn,
  { onPodRead: onPod }: Progress,
): Promise<PreparedAnalysis> {
  const { config, podReader, results, now, observer } = tools;
  const { calls, signal } = turn;
  const callers = calls.map(({ webId }) => webId);
  const startedAt = performance.now();

  signal.throwIfAborted();
  const { place, found, shares } = await observer.step('discover', async () => {
    await connection.renew(signal);
    const place = memoryPlace(connection, config.output, results);
    const found = await place.read(signal);
    return { place, found, shares: await gatherShares(connection, config, found, signal) };
  });

  signal.throwIfAborted();
  const { window_days: windowDays, plausible } = config.analysis;
  const task = {
    rules: { now: now().getTime(), windowDays, plausible },
    recipients: recipientsOf(callers),
    wants: shares.wants,
    timeoutMs: config.grpc.analysis_timeout_seconds * 1000 - (performance.now() - startedAt),
    onPod,
    onFiles: (read: number, all: number) => turn.onFiles(read, all),
    signal,
  };
  const readings = await observer.step('read', () =>
    podReader.readShares(connection, shares.pods, task),
  );
  const [read, skipped] = [sum(readings, 'filesRead'), sum(readings, 'filesSkipped')];
  observer.note({ kind: 'files', read, skipped });

  signal.throwIfAborted();
  const findings = { shares, readings, before: found.memory, callers, now: now() };
  const isSent = config.sharing.enabled && hasRecipients(calls, readings);
  const conclusion = conclude(config, findings, { found, withheld: null, isSent });

  signal.throwIfAborted();
  const recipients = groupCallers(calls, conclusion).flatMap((group) => group.recipients);
  const first = recipients.slice(0, RECIPIENTS_PER_BATCH).map(({ pod }) => pod);
  const charts = await observer.step('draw', () => draw(tools, conclusion, first, signal));
  return { place, found, findings, conclusion, isSent, charts };
}

/** Steps 6 to 8, past the last checkpoint: everything is written, for the calls that go on. */
async function finish(
  tools: AnalysisTools,
  connection: Connection,
  { place, found, findings, ...prepared }: PreparedAnalysis,
  { calls, answer }: Pick<NamedTurn, 'calls' | 'answer'>,
  { onRecipient }: Progress,
): Promise<FinishedAnalysis> {
  const { config, now } = tools;
  const { sharing, output } = config;
  const isSent = sharing.enabled && hasRecipients(calls, findings.readings);
  const concludeFrom = (stored: FoundMemory, withheld: string | null = null) =>
    conclude(config, findings, { found: stored, withheld, isSent });
  const first = isSent === prepared.isSent ? prepared.conclusion : concludeFrom(found);
  const kept = sharing.enabled
    ? await keepMemory(place, found, first, concludeFrom)
    : { conclusion: first, version: found.version, warnings: [] };
  const { conclusion } = kept;
  await removeOld(output, tools.charts, conclusion.hasLeft, now());
  const groups = groupCallers(calls, conclusion);
  const recipients = groups.flatMap((group) => group.recipients);
  const generatedAt = formatUtc(now());
  const { disclose, notices } = conclusion;
  const publication =
    sharing.enabled && recipients.length > 0
      ? new Publication(
          connection,
          { sharing, analyser: connection.pod, generatedAt, disclose },
          recipients,
          now,
        )
      : null;
  const warnings = [
    ...kept.warnings,
    ...conclusion.warnings,
    ...findings.shares.warnings,
    ...findings.readings.flatMap((reading) => reading.warnings),
  ];
  const serving = {
    ...tools,
    publication,
    async draw(pods: readonly PodReading[]) {
      const isDrawn = pods.every(({ owner }) => prepared.charts.drawn.has(owner.root));
      const isSame = conclusion === prepared.conclusion;
      return isSame && isDrawn ? prepared.charts : await draw(tools, conclusion, pods);
    },
    stillRemembered: (batch: readonly Recipient[]) => stillRemembered(place, kept.version, batch),
    answer,
    onRecipient,
  };
  const results = { generatedAt, conclusion, shares: findings.shares, warnings };
  const served = await serveCallers(serving, results, groups);
  return { ...served, notices: [...kept.warnings, ...notices] };
}

function draw(
  { config, drawChart }: AnalysisTools,
  { disclose }: Conclusion,
  pods: readonly PodReading[],
  signal?: AbortSignal,
): Promise<DrawnCharts> {
  return drawCharts(config.output.render_charts ? drawChart : null, pods, disclose, signal);
}

function sum(pods: readonly PodReading[], field: 'filesRead' | 'filesSkipped'): number {
  return pods.reduce((total, pod) => total + pod[field], 0);
}
