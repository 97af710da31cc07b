import type { z } from 'zod';
import { type Config, configSchema } from '../../src/config/schema.js';
import { analyse } from '../../src/run/analyse.js';
import type { AnalysisReport } from '../../src/run/analysis-report.js';
import { type AnalysisTools, createAnalysisTools } from '../../src/run/analysis-tools.js';
import { Connection } from '../../src/run/connection.js';
import { varFolders } from '../../src/run/folders-of-config.js';
import { unobserved } from '../../src/run/observer.js';
import type { ServedCalls, StoredRun } from '../../src/run/publish/publication.js';
import { localPodReader } from '../../src/run/read/read-shares.js';
import { performTurn } from '../../src/service/perform-turn.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import type { InitialisedPod } from './initialised-pod.js';
import { noLog } from './no-log.js';
import { outputBelow } from './output-below.js';
import { newFolder } from './temp-folder.js';
import { TestControl } from './test-control.js';

interface Request {
  /** Null: run-once, for every contributor. */
  caller: string | null;
  /** When the time of the analysis began, by `performance.now()`; default: now. */
  startedAt?: number;
}

type Outcome = StoredRun & Pick<ServedCalls, 'errors' | 'notices'> & { report: AnalysisReport };

/** Analyses of an Analyser Pod, with a var/ of its own, which is there until the test file ends. */
export interface TestRuns {
  config: Config;
  /** Where its var/ is. */
  folder: string;
  connection: Connection;
  /** Another one for the same Pod, which asks through this client. */
  connectWith: (client: SolidClient) => Connection;
  /** An analysis for one caller alone; rejects with what kept the caller from a result. */
  run: (request: Request, control?: TestControl) => Promise<Outcome>;
  /** The same, and what the caller is told. */
  ask(caller: InitialisedPod, control?: TestControl): Promise<AnalysisReport>;
}

/** As a configuration has them, before the defaults. */
export type Sections = Partial<
  Pick<z.input<typeof configSchema>, 'analysis' | 'sharing' | 'output' | 'data'>
>;
export type Sharing = NonNullable<Sections['sharing']>;

interface TestRunsOptions {
  tools?: Partial<Pick<AnalysisTools, 'drawChart' | 'now' | 'results'>>;
  /** Default: that of the Analyser's owner. */
  client?: SolidClient;
  timeoutSeconds?: number;
}

export async function startTestRuns(
  server: { baseUrl: string },
  analyser: InitialisedPod,
  sections: Sections = {},
  options: TestRunsOptions = {},
): Promise<TestRuns> {
  const { pod } = analyser;
  const folder = await newFolder();
  const config = configSchema.parse({
    analyser: { web_id: pod.webId, server_url: server.baseUrl, app_dir_name: pod.appDir },
    ...sections,
    ...(options.timeoutSeconds !== undefined && {
      grpc: { analysis_timeout_seconds: options.timeoutSeconds },
    }),
    output: { ...outputBelow(folder), ...sections.output },
  });
  const tools = { ...createAnalysisTools(config, unobserved, localPodReader), ...options.tools };
  const client = options.client ?? analyser.client;
  const connectWith = (through: SolidClient) => new Connection(through, pod, analyser.securityKey);
  const connection = connectWith(client);
  const timeoutSeconds = options.timeoutSeconds ?? null;
  const analyseFor = async ({ caller, ...progress }: Request, control = new TestControl()) => {
    const outcomes: ServedCalls[] = [];
    const turnTools = {
      output: varFolders(config),
      timeoutSeconds,
      log: noLog,
      ...(options.tools?.now && { now: options.tools.now }),
    };
    const turn = control.turnOf(caller);
    const failed = await performTurn(turn, turnTools, async () => {
      outcomes.push(await analyse(tools, connection, turn, progress));
    });
    if (failed !== null) throw failed;
    const { report } = control;
    const [outcome] = outcomes;
    if (report === null || outcome === undefined || report.status === 'FAILED') {
      const [failure] = outcome?.errors ?? [];
      throw failure instanceof Error ? failure : new Error('nobody was answered');
    }
    return { report, outcome };
  };
  const run: TestRuns['run'] = async (request, control) => {
    const { report, outcome } = await analyseFor(request, control);
    const [stored] = outcome.runs;
    if (stored === undefined) throw new Error('no run document was written');
    return { ...outcome, ...stored, report };
  };
  return {
    config,
    folder,
    connection,
    connectWith,
    run,
    ask: async (caller, control) =>
      (await analyseFor({ caller: caller.pod.webId }, control)).report,
  };
}

export const noCharts: Sections = { output: { render_charts: false } };

/** Reads and computes, and writes nothing to any Pod. */
export const figuresOnly: Sections = {
  sharing: { enabled: false },
  output: { render_charts: false },
};
