import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AnalyserError } from '../base/errors.js';
import { drawChart } from '../chart/draw-chart.js';
import type { Config, Secrets } from '../config/schema.js';
import { probeServer } from '../solid/probe-server.js';
import { writeFileAtomically } from '../store/atomic-file.js';
import { openChartStore } from '../store/chart-store.js';
import { openResultsStore } from '../store/results-store.js';
import { type AnalysisTools, analyse } from './analyse.js';
import { connect, createAnalyserClient, disconnect } from './connect.js';
import type { Engine } from './connected-analysis.js';
import type { Connection } from './connection.js';
import { type Observer, unobserved } from './observer.js';
import { localPodReader, type PodReader } from './read/read-shares.js';

export function createAnalysisTools(
  config: Config,
  observer: Observer = unobserved,
  podReader: PodReader = localPodReader,
): AnalysisTools {
  return {
    config,
    podReader,
    drawChart,
    results: openResultsStore(config.output.results_dir),
    charts: openChartStore(config.output),
    now: () => new Date(),
    observer,
  };
}

/** Connects to the configured Pod and analyses with that connection. */
export function createEngine(
  config: Config,
  secrets: Secrets,
  observer: Observer = unobserved,
  podReader: PodReader = localPodReader,
): Engine<Connection> {
  const tools = createAnalysisTools(config, observer, podReader);
  return {
    async connect(signal) {
      await tryToWrite(config.output);
      return await connect(config, secrets, signal, { observer, podReader });
    },
    disconnect,
    analyse: (connection, turn) => analyse(tools, connection, turn),
    async probe(signal) {
      await Promise.all([
        tryToWrite(config.output),
        probeServer(config.analyser.server_url, signal),
      ]);
    },
    async verify(failure, signal) {
      const isDisk = failure instanceof AnalyserError && failure.kind === 'disk';
      if (isDisk) await tryToWrite(config.output);
      else await tryToLogIn(config, secrets, signal);
    },
  };
}

async function tryToWrite(output: Config['output']): Promise<void> {
  for (const folder of [output.state_dir, output.results_dir, output.charts_dir]) {
    const path = join(folder, `.test-${randomUUID()}`);
    await writeFileAtomically(path, 'Can be written.\n');
    await rm(path, { force: true });
  }
}

async function tryToLogIn(config: Config, secrets: Secrets, signal: AbortSignal): Promise<void> {
  const client = createAnalyserClient(config, secrets);
  try {
    await client.login(signal);
  } finally {
    await client.close();
  }
}
