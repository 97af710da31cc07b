import { setImmediate as letOthersWork } from 'node:timers/promises';
import { formatUtc } from '../base/utc-time.js';
import { allowedOrigin } from '../config/allowed-origins.js';
import type { Config } from '../config/schema.js';
import { analysisRules } from './analysis-rules.js';
import type { AnalysisTools } from './analysis-tools.js';
import { type Assignment, servedBy } from './assignment.js';
import { conclude } from './conclude/conclude.js';
import type { Told } from './conclude/tell-cohort.js';
import type { Connection } from './connection.js';
import { limits } from './limits.js';
import { timeStep } from './observer.js';
import type { AnalysisResults } from './publish/build-run-document.js';
import { drawPicture, type Picture } from './publish/draw-picture.js';
import { groupCallers } from './publish/group-callers.js';
import type { ServedCalls } from './publish/publication.js';
import { publish } from './publish/publish.js';
import { askingTime, clear } from './read/deadline.js';
import type { PodReading } from './read/pod-reading.js';
import type { OnFiles } from './read/read-task.js';
import { readInboxAndMemory } from './read-inbox-and-memory.js';
import { memoryAccess } from './remember/memory-access.js';
import { storeMemory } from './remember/store-memory.js';
import { shareRules } from './table/classify-share.js';
import { gatherShares } from './table/gather-shares.js';

interface AnalyseOptions {
  onFiles?: OnFiles;
  onRecipient?: ((done: number, all: number) => void) | undefined;
  /** When the time of the analysis began, by `performance.now()`; default: now. */
  startedAt?: number;
}

/**
 * The analysis of docs/architecture.md, for all calls of the assignment. It can be cancelled between any two steps, up
 * to the last checkpoint. Each caller is answered as soon as their own result is handed over.
 */
export async function analyse(
  tools: AnalysisTools,
  connection: Connection,
  assignment: Assignment,
  { onFiles, onRecipient, startedAt = performance.now() }: AnalyseOptions = {},
): Promise<ServedCalls> {
  const { config, observe, now } = tools;
  const { signal } = assignment;
  signal.throwIfAborted();

  // Steps 1 to 3: the Analyser's own keys, what it remembers, and what is shared with it.
  const { access, before, gathered } = await timeStep(observe, 'discover', async () => {
    await connection.renew(signal);
    const access = memoryAccess(connection, config, tools.results.history);
    const ofShares = shareRules(config, connection.pod.root);
    const { inbox, before } = await readInboxAndMemory(connection, ofShares, access, signal);
    const gathered = gatherShares(inbox, before.memory, ofShares, before.keyedDigest);
    return { access, before, gathered };
  });
  signal.throwIfAborted();

  // Step 4: every file of every contributor.
  const served = servedBy(assignment.calls);
  const began = performance.now();
  const rules = analysisRules(config, now());
  const time = askingTime(startedAt + config.grpc.analysis_timeout_seconds * 1000, signal);
  const podReadings = await timeStep(observe, 'read', () =>
    tools.podReader.readShares(connection, gathered.pods, {
      rules,
      served,
      memory: before.memory,
      time,
      patienceOf: (origin) => patienceAt(config, origin),
      isData: gathered.isData,
      orderOf: (url) => before.keyedDigest('order', `${began} ${url}`),
      onFiles,
    }),
  ).finally(() => clear(time));
  const readingSeconds = Math.round((performance.now() - began) / 1000);
  signal.throwIfAborted();

  // Step 5: the averages, and all that follows from them.
  const concluded = conclude(config, { gathered, podReadings, before, served, now: now() });

  // Step 6: the charts of callers, in memory. Run-once draws when it publishes, so that no memory has to hold all.
  const drawChart = config.output.render_charts ? tools.drawChart : null;
  const draw = (pod: PodReading, told: Told) =>
    drawPicture(drawChart, pod, { told, period: rules.period });
  const drawn = new Map<string, Picture>();
  await timeStep(observe, 'draw', async () => {
    if (served === 'everybody') return;
    const groups = groupCallers(assignment.calls, concluded.contributors, gathered);
    for (const pod of groups.flatMap(({ recipients }) => recipients)) {
      // A drawing keeps this thread busy; a Cancel gets through between two.
      await letOthersWork();
      signal.throwIfAborted();
      drawn.set(pod.owner.root, await draw(pod, concluded.told));
    }
  });

  // The last checkpoint, for all calls at once. Up to here the analysis has only read.
  const calls = await assignment.commit();

  return await timeStep(observe, 'publish', async () => {
    const { writingEnds } = assignment;
    const keeping = { access, charts: tools.charts, config, writingEnds };
    const {
      isStored,
      conclusion,
      notices: ofMemory,
    } = await storeMemory(before, concluded, keeping);
    // A picture that was drawn before shows figures that must not leave any more: it is drawn anew.
    if (!isStored) drawn.clear();
    const notices = [...before.notices, ...ofMemory];
    const analysis: AnalysisResults = {
      generatedAt: formatUtc(now()),
      period: rules.period,
      conclusion,
      readingSeconds,
      gathered,
      warnings: [
        ...notices,
        ...conclusion.warnings,
        ...gathered.warnings,
        ...podReadings.flatMap(({ warnings }) => warnings),
      ],
    };
    const outcome = await publish(tools, connection, analysis, {
      before,
      calls,
      pictureOf: async (pod) => drawn.get(pod.owner.root) ?? (await draw(pod, conclusion.told)),
      onRecipient,
      writingEnds,
      answer: (id, report) => assignment.answer(id, report),
    });
    return { ...outcome, notices: [...notices, ...outcome.notices] };
  });
}

/** How long another server is waited for at least. */
function patienceAt({ data, grpc }: Pick<Config, 'data' | 'grpc'>, origin: string): number {
  const most = limits.patienceFraction * grpc.analysis_timeout_seconds;
  return 1000 * Math.min(allowedOrigin(data, origin)?.seconds ?? 0, most);
}
