import { formatUtc } from '../base/utc-time.js';
import type { Turn } from '../queue/turn.js';
import { removeOld } from '../store/retention.js';
import type { AnalysisTools } from './analysis-tools.js';
import { type Conclusion, conclude } from './conclude/conclude.js';
import type { Connection } from './connection.js';
import { type DrawnCharts, drawCharts } from './draw-charts.js';
import { gatherShares } from './gather/gather-shares.js';
import { type CallerGroup, groupCallers } from './group-callers.js';
import { Publication } from './publish/publish.js';
import type { Recipient } from './publish/recipient-documents.js';
import { canonicalCallers, type OnFiles, type PodReading } from './read/read-task.js';
import {
  keepMemory,
  type MemoryToKeep,
  memoryPlace,
  stillRemembered,
} from './remember/keep-memory.js';
import {
  RECIPIENTS_PER_BATCH,
  type ServedCalls,
  type ServeTools,
  serveCallers,
} from './serve-callers.js';

export interface Progress {
  onPodRead?: (done: number, all: number) => void;
  onFiles?: OnFiles;
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

export interface FinishedAnalysis extends ServedCalls {
  /** Warnings for the operator's log; they name nobody. */
  notices: readonly string[];
}

/**
 * The analysis of docs/architecture.md, for all calls of the turn. It can be stopped between any
 * two steps up to the last checkpoint. Each caller is answered through the turn as soon as their own
 * part is done.
 */
export async function analyse(
  tools: AnalysisTools,
  connection: Connection,
  turn: Turn,
  { onPodRead, onFiles, onRecipient }: Progress = {},
): Promise<FinishedAnalysis> {
  const { config, observer, now } = tools;
  const { signal } = turn;
  const startedAt = performance.now();
  signal.throwIfAborted();

  // Steps 1 to 3: the Analyser's own keys, what it remembers, and what is shared with it.
  const { place, before, shares } = await observer.step('discover', async () => {
    await connection.renew(signal);
    const place = memoryPlace(connection, config.output, tools.results);
    const before = await place.read(signal);
    return { place, before, shares: await gatherShares(connection, config, before, signal) };
  });
  signal.throwIfAborted();

  // Step 4: every file of every contributor.
  const callers = turn.calls.map(({ webId }) => webId);
  const { window_days: windowDays, plausible } = config.analysis;
  const task = {
    rules: { now: now().getTime(), windowDays, plausible },
    callers: canonicalCallers(callers),
    wants: shares.wants,
    timeoutMs: config.grpc.analysis_timeout_seconds * 1000 - (performance.now() - startedAt),
    onPod: onPodRead,
    onFiles,
    signal,
  };
  const readings = await observer.step('read', () =>
    tools.podReader.readShares(connection, shares.pods, task),
  );
  const [read, skipped] = [sum(readings, 'filesRead'), sum(readings, 'filesSkipped')];
  observer.note({ kind: 'files', read, skipped });
  signal.throwIfAborted();

  // Step 5: the averages, and all that follows from them.
  const findings = { shares, readings, before: before.memory, callers, now: now() };
  const atFirst = { stored: before, withheld: null, goingOn: callers };
  const expected = conclude(config, findings, atFirst);
  signal.throwIfAborted();

  // Step 6: the charts of the first batch, in memory.
  const recipients = recipientsAmong(groupCallers(turn.calls, expected));
  const first = recipients.slice(0, RECIPIENTS_PER_BATCH).map(({ pod }) => pod);
  const drawn = await observer.step('draw', () => drawFor(tools, expected, first, signal));

  // The last checkpoint, for all calls at once. Nothing has been written so far.
  const goingOn = await turn.commit();

  // Steps 6 to 8, for the calls that go on.
  const calls = turn.calls.filter(({ id }) => goingOn.has(id));
  const prepared = { place, before, findings, expected, drawn, calls };
  const answer: Turn['answer'] = (id, report) => turn.answer(id, report);
  return await observer.step('publish', () =>
    finish(tools, connection, prepared, { answer, onRecipient }),
  );
}

/** An analysis at its last checkpoint, in memory. */
interface PreparedAnalysis extends MemoryToKeep {
  drawn: DrawnCharts;
}

/** Everything is written: what is remembered; then run document, results and answer of each caller. */
async function finish(
  tools: AnalysisTools,
  connection: Connection,
  prepared: PreparedAnalysis,
  { answer, onRecipient }: Pick<ServeTools, 'answer' | 'onRecipient'>,
): Promise<FinishedAnalysis> {
  const { config, results, charts, now } = tools;
  const { sharing, output } = config;
  const { place, findings, expected, drawn, calls } = prepared;
  const kept = await keepMemory(config, prepared);
  const { conclusion, version } = kept;
  // What is concluded again can give other figures, so the charts are drawn again as well.
  const chartsHold = conclusion === expected;
  await removeOld(output, charts, conclusion.chartMustGo, now());
  const generatedAt = formatUtc(now());
  const groups = groupCallers(calls, conclusion);
  const recipients = recipientsAmong(groups);
  const settings = {
    sharing,
    analyser: connection.pod,
    generatedAt,
    disclose: conclusion.disclose,
  };
  const isPublished = sharing.enabled && recipients.length > 0;
  const serving: ServeTools = {
    config,
    results,
    charts,
    publication: isPublished ? new Publication(connection, settings, recipients, now) : null,
    async chartsOf(pods) {
      const isDrawn = pods.every(({ owner }) => drawn.roots.has(owner.root));
      return chartsHold && isDrawn ? drawn : await drawFor(tools, conclusion, pods);
    },
    stillRemembered: (batch) => stillRemembered(place, version, batch),
    answer,
    onRecipient,
  };
  const { shares, readings } = findings;
  const warnings = [
    ...kept.warnings,
    ...conclusion.warnings,
    ...shares.warnings,
    ...readings.flatMap((reading) => reading.warnings),
  ];
  const served = await serveCallers(serving, { generatedAt, conclusion, shares, warnings }, groups);
  return { ...served, notices: [...kept.warnings, ...conclusion.notices] };
}

function recipientsAmong(groups: readonly CallerGroup[]): Recipient[] {
  return groups.flatMap((group) => group.recipients);
}

function drawFor(
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
