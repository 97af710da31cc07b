import { studyPeriod } from '../base/study-period.js';
import { formatUtc } from '../base/utc-time.js';
import { digestsOf } from '../memory/digests.js';
import type { FoundMemory } from '../memory/stored-memory.js';
import { removeOld } from '../store/retention.js';
import { analysisRules } from './analysis-rules.js';
import type { AnalysisTools } from './analysis-tools.js';
import { type Conclusion, conclude, withoutCohort } from './conclude/conclude.js';
import type { Connection } from './connection.js';
import { type DrawnCharts, drawCharts } from './draw-charts.js';
import { shareRules } from './gather/classify-share.js';
import { type GatheredShares, gatherShares } from './gather/gather-shares.js';
import { readInboxAndMemory } from './gather/read-inbox-and-memory.js';
import { type CallerGroup, groupCallers } from './group-callers.js';
import { guardWrites, type RequireLock } from './guard-writes.js';
import { type AskedAhead, askAhead } from './publish/ask-ahead.js';
import { withEarlierKeys } from './publish/document-keys.js';
import { logOwnGrants } from './publish/own-log.js';
import { Publication } from './publish/publish.js';
import type { Recipient } from './publish/recipient-documents.js';
import { distinctCallers, type OnFiles, type PodReading } from './read/read-task.js';
import {
  keepMemory,
  type MemoryPlace,
  memoryPlace,
  unkeptWarning,
} from './remember/keep-memory.js';
import { serveCallers } from './serve-callers.js';
import { RECIPIENTS_PER_BATCH, type ServedCalls, type ServeTools } from './served-group.js';
import type { CallInTurn, Turn } from './turn.js';

export interface Progress {
  onPodRead?: (done: number, all: number) => void;
  onFiles?: OnFiles;
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

interface AnalyseOptions extends Progress {
  requireLock?: RequireLock;
  /** When the time of the analysis began, by `performance.now()`; default: now. */
  startedAt?: number;
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
  ownTools: AnalysisTools,
  connection: Connection,
  turn: Turn,
  {
    onPodRead,
    onFiles,
    onRecipient,
    requireLock = () => Promise.resolve(),
    startedAt = performance.now(),
  }: AnalyseOptions = {},
): Promise<FinishedAnalysis> {
  const tools = guardWrites(ownTools, requireLock);
  const { config, observer, now } = tools;
  const { signal } = turn;
  signal.throwIfAborted();

  // Steps 1 to 3: the Analyser's own keys, what it remembers, and what is shared with it.
  const { place, before, shares } = await observer.step('discover', async () => {
    await connection.renew(signal);
    const place = memoryPlace(connection, config.output, tools.results);
    const rules = shareRules(config, connection.pod.root);
    const { inbox, before } = await readInboxAndMemory(connection, rules, place.read, signal);
    const shares = gatherShares(inbox, before.memory, rules, digestsOf(before));
    return { place, before, shares };
  });
  signal.throwIfAborted();

  // Step 4: every file of every contributor.
  const callers = distinctCallers(turn.calls.map(({ webId }) => webId));
  const task = {
    rules: analysisRules(config, now()),
    callers,
    wants: shares.wants,
    until: startedAt + config.grpc.analysis_timeout_seconds * 1000,
    onPod: onPodRead,
    onFiles,
    signal,
  };
  const readingSince = performance.now();
  const readings = await observer.step('read', () =>
    tools.podReader.readShares(connection, shares.pods, task),
  );
  const readingSeconds = Math.round((performance.now() - readingSince) / 1000);
  signal.throwIfAborted();

  // Step 5: the averages, and all that follows from them.
  const conclusion = conclude(config, { shares, readings, before, callers, now: now() });
  signal.throwIfAborted();

  // Step 6: the charts of the first batch, in memory, and the keys and rules of the documents.
  const recipients = recipientsAmong(groupCallers(turn.calls, conclusion, shares));
  const first = recipients.slice(0, RECIPIENTS_PER_BATCH);
  const firstPods = first.map(({ pod }) => pod);
  const [drawn, ahead] = await observer.step('draw', () =>
    Promise.all([
      drawFor(tools, conclusion, firstPods, signal),
      askAhead(config, connection, before, { recipients, first }, signal),
    ]),
  );

  // The last checkpoint, for all calls at once. Up to here the analysis has only read.
  const goingOn = await turn.commit();

  // Steps 6 to 8, for the calls that go on.
  const calls = turn.calls.filter(({ id }) => goingOn.has(id));
  const prepared = {
    place,
    before,
    shares,
    readingSeconds,
    conclusion,
    drawn,
    ahead,
    calls,
  };
  const answer: Turn['answer'] = (id, report) => turn.answer(id, report);
  return await observer.step('publish', async () => {
    await requireLock();
    return await finish(tools, connection, prepared, { answer, onRecipient, requireLock });
  });
}

/** An analysis at its last checkpoint, in memory. */
interface PreparedAnalysis {
  place: MemoryPlace;
  before: FoundMemory;
  shares: GatheredShares;
  readingSeconds: number;
  conclusion: Conclusion;
  drawn: DrawnCharts;
  ahead: AskedAhead;
  /** The calls that were not stopped. */
  calls: readonly CallInTurn[];
}

/** Stores the memory and removes old files; then writes the run documents, publishes the results and answers. */
async function finish(
  tools: AnalysisTools,
  connection: Connection,
  prepared: PreparedAnalysis,
  { answer, onRecipient, requireLock }: Pick<ServeTools, 'answer' | 'onRecipient' | 'requireLock'>,
): Promise<FinishedAnalysis> {
  const { config, results, charts, now } = tools;
  const { sharing, output } = config;
  const {
    place,
    before,
    shares,
    readingSeconds,
    conclusion: expected,
    drawn,
    ahead: { keys, rulesOf },
    calls,
  } = prepared;
  const memory = keys === null ? expected.memory : withEarlierKeys(expected.memory, keys.earlier);
  const unkept = await keepMemory(config, place, before, memory);
  await requireLock();
  // Without a memory nobody knows whose charts may go.
  const charted = unkept === null && sharing.enabled ? expected.charted : null;
  await removeOld(output, charts, charted, now());
  const conclusion = unkept === null ? expected : withoutCohort(config, expected, unkept);
  const generatedAt = formatUtc(now());
  const groups = groupCallers(calls, conclusion, shares);
  const recipients = recipientsAmong(groups);
  const settings = {
    sharing,
    analyser: connection.pod,
    generatedAt,
    period: studyPeriod(config.analysis),
    disclose: conclusion.disclose,
  };
  const isPublished = sharing.enabled && recipients.length > 0;
  const usedKeys = sharing.encrypt_results ? keys : null;
  // Where rules of access cannot be set, nothing is published.
  const isOpen = isPublished && connection.pod.hasAccessLists;
  const keyWarnings = isOpen && usedKeys !== null ? await usedKeys.store() : [];
  const publication = isPublished
    ? new Publication(connection, settings, { keys: usedKeys, rulesOf }, now)
    : null;
  const serving: ServeTools = {
    config,
    results,
    charts,
    publication,
    async chartsOf(pods) {
      // The drawn charts show figures of the cohort, which are withheld when the memory was not stored.
      const isDrawn = unkept === null && pods.every(({ owner }) => drawn.roots.has(owner.root));
      return isDrawn ? drawn : await drawFor(tools, conclusion, pods);
    },
    answer,
    onRecipient,
    requireLock,
  };
  const notices = [...(unkept === null ? [] : [unkeptWarning(unkept)]), ...keyWarnings];
  const warnings = [
    ...notices,
    ...conclusion.warnings,
    ...shares.warnings,
    ...conclusion.contributors.flatMap((reading) => reading.warnings),
  ];
  const analysis = { generatedAt, conclusion, readingSeconds, shares, warnings };
  const served = await serveCallers(serving, analysis, groups);
  const granted = publication?.granted ?? [];
  const logged = sharing.enabled
    ? await warningsOf(served.errors, async () => {
        await requireLock();
        return await logOwnGrants(connection, tools.logBacklog, granted);
      })
    : [];
  const stored = await warningsOf(served.errors, () => keepWithin(tools));
  return { ...served, notices: [...notices, ...conclusion.notices, ...logged, ...stored] };
}

/** Does work that follows the results. If it fails, every caller is answered all the same. */
async function warningsOf(errors: unknown[], work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    errors.push(error);
    return [];
  }
}

/** Keeps stored runs and charts within their limit; returns warnings for the operator. */
async function keepWithin({ keepStored, now }: AnalysisTools): Promise<string[]> {
  const { warning } = await keepStored(now());
  return warning === null ? [] : [warning];
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
  const draw = config.output.render_charts ? drawChart : null;
  return drawCharts(draw, pods, { disclose, period: studyPeriod(config.analysis) }, signal);
}
