import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChartRenderer } from '../../src/chart/chart-renderer.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import { ShareLedger } from '../../src/ledger/share-ledger.js';
import { EntryOpener } from '../../src/pod/crypto/entry-opener.js';
import { createInboxMemory } from '../../src/pod/read-inbox.js';
import type { AnalysisReport } from '../../src/queue/analysis-report.js';
import { buildReport } from '../../src/run/build-report.js';
import type { Connection } from '../../src/run/connection.js';
import { createCycleTools } from '../../src/run/engine.js';
import { performRun } from '../../src/run/perform-run.js';
import { RunControl } from '../../src/run/run-control.js';
import type { CycleOutcome, CycleRequest, CycleTools } from '../../src/run/run-cycle.js';
import type { SolidClient } from '../../src/solid/solid-client.js';
import type { InitialisedPod } from './initialised-pod.js';

/** The cycle on an Analyser Pod, with a var/ of its own. */
export interface TestCycle {
  config: Config;
  /** Where its var/ is. */
  folder: string;
  connection: Connection;
  run: (request: CycleRequest, control?: RunControl) => Promise<CycleOutcome>;
  /** A run for one caller, and what the caller is told. */
  ask(caller: InitialisedPod, control?: RunControl): Promise<AnalysisReport>;
  close(): Promise<void>;
}

type Sections = {
  [Name in 'analysis' | 'sharing' | 'output' | 'data']?: Partial<Config[Name]>;
};

interface TestCycleOptions {
  tools?: Partial<Pick<CycleTools, 'renderer' | 'now'>>;
  /** Default: that of the Analyser's owner. */
  client?: SolidClient;
  timeoutSeconds?: number;
}

export async function startTestCycle(
  server: { baseUrl: string },
  analyser: InitialisedPod,
  sections: Sections = {},
  options: TestCycleOptions = {},
): Promise<TestCycle> {
  const { pod } = analyser;
  const folder = await mkdtemp(join(tmpdir(), 'bp-cycle-'));
  const config = configSchema.parse({
    analyser: { web_id: pod.webId, server_url: server.baseUrl, app_dir_name: pod.appDir },
    ...sections,
    output: {
      state_dir: join(folder, 'state'),
      results_dir: join(folder, 'results'),
      charts_dir: join(folder, 'charts'),
      ...sections.output,
    },
  });
  const renderer = options.tools?.renderer ?? createChartRenderer();
  const tools = { ...createCycleTools(config, renderer), ...options.tools };
  const client = options.client ?? analyser.client;
  const opener = new EntryOpener(pod.privateKey);
  const ledger = new ShareLedger(config.output.state_dir, pod.masterKey);
  const connection = { client, pod, opener, inbox: createInboxMemory(), ledger };
  const run = (request: CycleRequest, control = new RunControl()) =>
    performRun(tools, connection, request, control, {
      timeoutSeconds: options.timeoutSeconds ?? null,
    });
  return {
    config,
    folder,
    connection,
    run,
    ask: async (caller, control) =>
      buildReport(await run({ caller: caller.pod.webId }, control), caller.pod.webId),
    close: async () => {
      await connection.opener.dispose();
      await renderer.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** One run with settings of its own, for what needs no second. */
export async function withTestCycle<T>(
  server: { baseUrl: string },
  analyser: InitialisedPod,
  sections: Sections,
  use: (cycle: TestCycle) => Promise<T>,
  options: TestCycleOptions = {},
): Promise<T> {
  const cycle = await startTestCycle(server, analyser, sections, options);
  try {
    return await use(cycle);
  } finally {
    await cycle.close();
  }
}

/** Reads and computes, and writes nothing to any Pod. */
export const figuresOnly: Sections = {
  sharing: { enabled: false },
  output: { render_charts: false },
};
