import { setTimeout as pause } from 'node:timers/promises';
import { describeBuild } from '../../base/build.js';
import { createLogger, type Logger } from '../../base/logger.js';
import { originsOf } from '../../config/allowed-origins.js';
import { type LoadedConfig, loadConfig } from '../../config/load-config.js';
import type { Config } from '../../config/schema.js';
import { warnOfPort } from '../../config/warnings.js';
import { startServer } from '../../grpc/server.js';
import { startAnalysisService } from '../../service/analysis-service.js';
import type { ModeContext } from '../mode.js';
import { ownBuild } from '../own-build.js';
import { untilStopped } from '../stop-signals.js';
import { holdDoor } from './hold-door.js';
import { startWatching } from './start-watching.js';

/** How long the running analysis may go on after the first signal. */
const GRACE_MS = 30_000;
/** Longer than the five seconds in which the analysis thread has to end by itself. */
const CLOSE_LIMIT_MS = 7_000;

export async function runGrpc(context: ModeContext): Promise<void> {
  const loaded = await loadConfig(context);
  const log = createLogger(context);
  await untilStopped(
    () => startGrpc(loaded, log, { ...context, logTo: 2 }),
    () => log.info('Stopping: no new calls; the analysis in hand may finish.'),
  );
}

/**
 * Starts everything behind the gRPC port, and the port itself. The threads that this starts write to the file `logTo`.
 */
export async function startGrpc(
  { config, secrets, warnings }: LoadedConfig,
  log: Logger,
  { env, verbose, logTo }: Pick<ModeContext, 'env' | 'verbose'> & { logTo: number },
): Promise<{ stop: (graceMs?: number) => Promise<void> }> {
  log.info(describeBuild(ownBuild));
  const ofPort = warnOfPort(config.grpc, secrets.grpcToken !== null);
  for (const warning of [...warnings, ...ofPort]) log.warn(warning);
  const opened: (() => unknown)[] = [];
  const close = async () => {
    for (const closeOne of opened.reverse()) {
      await Promise.resolve()
        .then(closeOne)
        .catch((error: unknown) => log.debug({ err: error }, 'It did not close.'));
    }
  };
  // A disk may hang and keep `close` from ending, so the wait for it has a limit.
  const closeInTime = () =>
    Promise.race([close(), pause(CLOSE_LIMIT_MS, undefined, { ref: false })]);
  try {
    const { observe, stop } = await startWatching(config, log);
    opened.push(stop);
    const door = await holdDoor(config, log);
    opened.push(door.leave);
    const verifier = await createVerifierIfWanted(config);
    if (verifier !== null) opened.push(() => verifier.close());
    // The token is checked in this thread, so the analysis thread does not get it.
    const ofThread = { ...secrets, grpcToken: null };
    const own = { build: ownBuild.digest, verbose, logTo };
    const data = { config, secrets: ofThread, ...own };
    const analyses = await startAnalysisService({ data, env, log, observe });
    opened.push(analyses.stop);
    const token = secrets.grpcToken;
    const server = await startServer({ ...analyses, config, token, verifier, log, observe });
    return {
      async stop(graceMs = GRACE_MS) {
        await server.stop(graceMs);
        await closeInTime();
      },
    };
  } catch (error) {
    await closeInTime();
    throw error;
  }
}

async function createVerifierIfWanted({ analyser, data, grpc }: Config) {
  if (!grpc.require_web_id_proof) return null;
  const { WebIdVerifier } = await import('../../solid/login/web-id-verifier.js');
  const origins = [analyser.server_url, ...originsOf(data)];
  return new WebIdVerifier({
    issuers: grpc.allowed_issuers,
    origins,
    atOnce: grpc.max_workers,
  });
}
