import { studyPeriod } from '../base/study-period.js';
import { formatUtc } from '../base/utc-time.js';
import { withheldWarning } from '../documents/withheld.js';
import { digestsOf } from '../memory/digests.js';
import { analysisRules } from './analysis-rules.js';
import type { AnalysisTools } from './analysis-tools.js';
import type { Assignment } from './assignment.js';
import type { AnalysisResults } from './build-results-document.js';
import { conclude } from './conclude/conclude.js';
import { tellCohort } from './conclude/tell-cohort.js';
import type { Connection } from './connection.js';
import { drawPicture, noPicture, type Picture } from './draw-charts.js';
import { timeStep } from './observer.js';
import { withReadingTime } from './read/patience.js';
import type { PodReading } from './read/pod-reading.js';
import { distinctCallers, type OnFiles } from './read/read-task.js';
import { readInboxAndMemory } from './read-inbox-and-memory.js';
import { keepMemory, memoryAccess, unkeptWarning } from './remember/keep-memory.js';
import { groupCallers, type ServedCalls, serveCallers } from './serve-callers.js';
import { shareRules } from './table/classify-share.js';
import { gatherShares } from './table/gather-shares.js';

export interface Progress {
  onFiles?: OnFiles;
  onRecipient?: ((done: number, all: number) => void) | undefined;
}

interface AnalyseOptions extends Progress {
  /** When the time of the analysis began, by `performance.now()`; default: now. */
  startedAt?: number;
}

/**
 * The analysis of docs/architecture.md, for all calls of the assignment. It can be cancelled between any two steps up to
 * the last checkpoint. Each caller is answered as soon as their own result is done.
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
    const rules = shareRules(config, connection.pod.root);
    const { inbox, before } = await readInboxAndMemory(connection, rules, access.read, signal);
    const gathered = gatherShares(inbox, before.memory, rules, digestsOf(before));
    return { access, before, gathered };
  });
  signal.throwIfAborted();

  // Step 4: every file of every contributor.
  const callers = distinctCallers(assignment.calls.map(({ webId }) => webId));
  const began = performance.now();
  const readings = await timeStep(observe, 'read', () =>
    withReadingTime(startedAt + config.grpc.analysis_timeout_seconds * 1000, (time) =>
      tools.podReader.readShares(connection, gathered.pods, {
        ...{ rules: analysisRules(config, now()), callers, time, onFiles, signal },
        wants: gathered.wants,
        orderOf: (url) => digestsOf(before)('order', `${began} ${url}`),
      }),
    ),
  );
  const readingSeconds = Math.round((performance.now() - began) / 1000);
  signal.throwIfAborted();

  // Step 5: the averages, and all that follows from them.
  const conclusion = conclude(config, { gathered, readings, before, callers, now: now() });
  signal.throwIfAborted();

  // Step 6: the charts of callers, in memory. Run-once draws when it publishes, so that no memory has to hold all.
  const period = studyPeriod(config.analysis);
  const drawChart = config.output.render_charts ? tools.drawChart : null;
  const { disclose } = tellCohort(config, conclusion, null);
  const shown = { disclose, period };
  const drawn = new Map<PodReading, Picture>();
  await timeStep(observe, 'draw', async () => {
    const groups = callers === null ? [] : groupCallers(assignment.calls, conclusion, gathered);
    for (const pod of groups.flatMap(({ recipients }) => recipients)) {
      signal.throwIfAborted();
      drawn.set(pod, await drawPicture(drawChart, pod, shown));
    }
  });

  // The last checkpoint, for all calls at once. Up to here the analysis has only read.
  const calls = await assignment.commit();

  return await timeStep(observe, 'publish', async () => {
    const unkept = await keepMemory(access, before, conclusion.memory, assignment.writingEnds);
    const told = tellCohort(config, conclusion, unkept);
    // If the memory was not stored, nobody knows whose charts may go.
    if (unkept === null && conclusion.charted !== null) {
      await tools.charts.keepOnly(conclusion.charted);
    }
    const notices = [
      ...(unkept === null ? [] : [unkeptWarning(unkept)]),
      ...(told.withheld?.untilConfirmed === true && config.sharing.enabled
        ? [withheldWarning(told.withheld.reason)]
        : []),
    ];
    const analysis: AnalysisResults = {
      ...{ generatedAt: formatUtc(now()), conclusion, told, readingSeconds, gathered },
      warnings: [
        ...notices,
        ...conclusion.warnings,
        ...gathered.warnings,
        ...readings.flatMap((reading) => reading.warnings),
      ],
    };
    // A picture shows figures of the cohort, which must not leave when the memory was not stored.
    const pictureOf = async (pod: PodReading) =>
      unkept !== null ? noPicture : (drawn.get(pod) ?? (await drawPicture(drawChart, pod, shown)));
    const served = await serveCallers(tools, connection, analysis, {
      ...{ before, calls, pictureOf, onRecipient, stop: assignment.writingEnds },
      answer: (id, report) => assignment.answer(id, report),
    });
    return { ...served, notices: [...notices, ...served.notices] };
  });
}
