import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChartRenderer, createChartRenderer } from '../../src/chart/chart-renderer.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import type { Connection } from '../../src/cycle/connection.js';
import { createCycleTools } from '../../src/cycle/engine.js';
import { performRun } from '../../src/cycle/perform-run.js';
import { RunControl } from '../../src/cycle/run-control.js';
import { type CycleOutcome, type CycleRequest } from '../../src/cycle/run-cycle.js';
import { EntryOpener } from '../../src/pod/crypto/entry-opener.js';
import type { InitialisedPod } from './initialised-pod.js';

/** The cycle on an Analyser Pod, with a var/ of its own. */
export interface TestCycle {
  config: Config;
  connection: Connection;
  run(request: CycleRequest, control?: RunControl): Promise<CycleOutcome>;
  close(): Promise<void>;
}

type Sections = {
  [Name in 'analysis' | 'sharing' | 'output' | 'data']?: Partial<Config[Name]>;
};

export async function startTestCycle(
  server: { baseUrl: string },
  { client, pod }: InitialisedPod,
  sections: Sections = {},
): Promise<TestCycle> {
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
  const renderer: ChartRenderer = createChartRenderer();
  const tools = createCycleTools(config, renderer);
  const connection = { client, pod, opener: new EntryOpener(pod.privateKey) };
  return {
    config,
    connection,
    run: (request, control = new RunControl()) =>
      performRun(tools, connection, request, control, { timeoutSeconds: null }),
    close: async () => {
      await connection.opener.dispose();
      await renderer.close();
      await rm(folder, { recursive: true });
    },
  };
}
