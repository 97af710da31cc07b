import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '../../src/base/logger.js';
import type { Config } from '../../src/config/schema.js';
import { AnalysisQueue } from '../../src/service/analysis-queue.js';
import { queueLimits } from '../../src/service/analysis-service.js';
import { performTurn } from '../../src/service/perform-turn.js';
import { type Pauses, Readiness } from '../../src/service/readiness.js';
import { varBelow } from '../support/output-below.js';
import type { ScriptedEngine } from './scripted-engine.js';

/** The service behind its door, with a scripted engine in place of the analysis thread. */
export async function startScriptedAnalyses(
  engine: ScriptedEngine,
  { analyser: { web_id, server_url }, grpc }: Pick<Config, 'analyser' | 'grpc'>,
  log: Logger,
  pauses: Pauses = { firstMs: 5, longestMs: 20 },
) {
  const folder = mkdtempSync(join(tmpdir(), 'bp-scripted-'));
  const readiness = new Readiness(engine, {
    log,
    own: { webIds: [web_id], serverUrl: server_url },
    onChange: () => undefined,
    pauses,
  });
  const tools = {
    output: varBelow(folder),
    timeoutSeconds: grpc.analysis_timeout_seconds,
    log,
    onDiskFailure: (error: unknown) => readiness.failed(error),
  };
  const queue = new AnalysisQueue({ ...queueLimits(grpc), callersPerTurn: 1 }, (turn) =>
    performTurn(turn, tools, (named) =>
      readiness.use(named.signal, (connection) => engine.analyse(connection, named)),
    ),
  );
  await readiness.start();
  return {
    queue,
    readiness,
    stateDir: tools.output.state_dir,
    stop: async () => {
      await readiness.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
