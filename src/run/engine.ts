import type { Logger } from '../base/logger.js';
import { type ChartRenderer, createChartRenderer } from '../chart/chart-renderer.js';
import type { Config, Secrets } from '../config/schema.js';
import { parseWebId } from '../pod/addresses.js';
import type { AnalysisReport } from '../queue/analysis-report.js';
import { openChartStore } from '../store/chart-store.js';
import { openResultsStore } from '../store/results-store.js';
import { buildReport } from './build-report.js';
import { type Connection, connect, disconnect } from './connection.js';
import { type Observer, unobserved } from './observer.js';
import { performRun } from './perform-run.js';
import type { RunControl } from './run-control.js';
import type { CycleTools } from './run-cycle.js';
import { thisProcess, type Workforce } from './workforce.js';

export function createCycleTools(
  config: Config,
  renderer: ChartRenderer,
  observer: Observer = unobserved,
  workforce: Workforce = thisProcess,
): CycleTools {
  return {
    config,
    workforce,
    renderer,
    results: openResultsStore(config.output.results_dir),
    charts: openChartStore(config.output.charts_dir),
    now: () => new Date(),
    observer,
  };
}

/** What the gRPC door opens onto. */
export interface CycleEngine {
  identify(text: string): string | null;
  connect(signal: AbortSignal): Promise<Connection>;
  disconnect(connection: Connection): Promise<void>;
  run(connection: Connection, caller: string, control: RunControl): Promise<AnalysisReport>;
  close(): Promise<void>;
}

export function createEngine(
  config: Config,
  secrets: Secrets,
  log: Logger,
  observer: Observer = unobserved,
  workforce: Workforce = thisProcess,
): CycleEngine {
  const renderer = createChartRenderer();
  const tools = createCycleTools(config, renderer, observer, workforce);
  const limits = {
    timeoutSeconds: config.grpc.analysis_timeout_seconds,
    onWait: () => log.info('Another process runs an analysis; this one waits for its turn.'),
  };
  return {
    identify: (text) => parseWebId(text)?.webId ?? null,
    connect: (signal) =>
      connect(config, secrets, signal, { observer, openValues: workforce.openValues }),
    disconnect,
    run: async (connection, caller, control) => {
      const outcome = await performRun(tools, connection, { caller }, control, limits);
      for (const { owner, filesRead, filesSkipped } of outcome.pods) {
        log.debug({ web_id: owner.webId, filesRead, filesSkipped }, 'A Pod was read.');
      }
      return buildReport(outcome, caller);
    },
    close: () => renderer.close(),
  };
}
