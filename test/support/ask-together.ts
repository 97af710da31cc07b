import { analyse } from '../../src/run/analyse.js';
import type { AnalysisReport } from '../../src/run/analysis-report.js';
import { type AnalysisTools, createAnalysisTools } from '../../src/run/analysis-tools.js';
import { varFolders } from '../../src/run/folders-of-config.js';
import { unobserved } from '../../src/run/observer.js';
import { localPodReader } from '../../src/run/read/read-shares.js';
import { AnalysisQueue } from '../../src/service/analysis-queue.js';
import { performTurn } from '../../src/service/perform-turn.js';
import type { Turn } from '../../src/service/turn.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import { noLog } from './no-log.js';
import type { TestRuns } from './test-runs.js';
import { unlimited } from './unlimited-queue.js';

interface TogetherOptions {
  tools?: Partial<Pick<AnalysisTools, 'drawChart'>>;
  client?: SolidClient;
  timeoutSeconds?: number;
  /** While the analysis runs, for whoever changes something then. */
  onQueue?: (queue: AnalysisQueue) => void;
  onAnswer?: (webId: string) => void;
}

/** Calls that wait while another one has the turn, and then have theirs together. */
export async function askTogether(
  runs: TestRuns,
  webIds: readonly string[],
  options: TogetherOptions = {},
): Promise<AnalysisReport[]> {
  const { config } = runs;
  const tools = { ...createAnalysisTools(config, unobserved, localPodReader), ...options.tools };
  const connection = options.client ? runs.connectWith(options.client) : runs.connection;
  const { timeoutSeconds = null } = options;
  let endOfFirst = (): void => undefined;
  const first = new Promise<void>((resolve) => {
    endOfFirst = resolve;
  });
  let hasBegun = false;
  const runTurn = async (turn: Turn) => {
    if (!hasBegun) {
      hasBegun = true;
      await first;
      await turn.end(null);
      return;
    }
    await performTurn(
      turn,
      { output: varFolders(config), timeoutSeconds, log: noLog },
      async () => {
        await analyse(tools, connection, turn);
      },
    );
  };
  const queue = new AnalysisQueue(unlimited, runTurn);
  const { signal } = new AbortController();
  const ahead = queue.enqueue(
    { webId: 'https://pods.example/first/profile/card#me', peer: '' },
    signal,
  );
  const calls = webIds.map(async (webId) => {
    const report = await queue.enqueue({ webId, peer: '' }, signal);
    options.onAnswer?.(webId);
    return report;
  });
  options.onQueue?.(queue);
  endOfFirst();
  await ahead;
  const reports = await Promise.all(calls);
  await queue.whenEmpty();
  return reports;
}
