import { setTimeout as pause } from 'node:timers/promises';
import { AnalyserError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { callStatus } from '../../client/calls.js';
import { dial } from '../../client/dial.js';
import { serversOf } from '../../config/allowed-origins.js';
import { type LoadedConfig, loadConfig } from '../../config/load-config.js';
import type { Config } from '../../config/schema.js';
import { warnOfPort } from '../../config/warnings.js';
import { startServer } from '../../grpc/server.js';
import { requireFreePort } from '../../ports/port-error.js';
import { startAnalyses } from '../../service/start-analyses.js';
import type { ModeContext } from '../mode.js';
import { ownBuild } from '../own-build.js';
import { lockService, otherService } from './lock-service.js';
import { serviceMode } from './service-mode.js';
import { startWatching } from './start-watching.js';

/** Longer than the five seconds in which the analysis thread has to end by itself. */
const CLOSE_LIMIT_MS = 7_000;

export const runGrpc = serviceMode({
  async load(context: ModeContext): Promise<LoadedConfig> {
    const loaded = await loadConfig(context);
    const ofPort = warnOfPort(loaded.config.grpc, loaded.secrets.grpcToken !== null);
    return { ...loaded, warnings: [...loaded.warnings, ...ofPort] };
  },
  start: (loaded, log, context) => startGrpc(loaded, log, { ...context, logTo: 2 }),
  onStop: 'Stopping: no new calls; the analysis in hand may finish.',
});

/** The threads that this starts write to the file `logTo`. */
export async function startGrpc(
  { config, secrets }: LoadedConfig,
  log: Logger,
  { env, verbose, logTo }: Pick<ModeContext, 'env' | 'verbose'> & { logTo: number },
): Promise<{ stop: (graceMs?: number) => Promise<void> }> {
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
    opened.push(await lockService(config, log));
    await requireFreePort('grpc', config.grpc).catch((error: unknown) =>
      explainTaken(error, config, secrets.grpcToken),
    );
    const verifier = await createVerifierIfWanted(config);
    if (verifier !== null) opened.push(() => verifier.close());
    const own = { build: ownBuild.digest, verbose, logTo };
    const analyses = await startAnalyses({ data: { config, secrets, ...own }, env, log, observe });
    opened.push(analyses.stop);
    const token = secrets.grpcToken;
    const server = await startServer({ ...analyses, config, token, verifier, log, observe });
    return {
      async stop(graceMs) {
        await server.stop(graceMs);
        await closeInTime();
      },
    };
  } catch (error) {
    await closeInTime();
    throw error;
  }
}

/** Asks who has the port: where it is the service of this Analyser, another port would only make a second one. */
async function explainTaken(error: unknown, { analyser, grpc }: Config, token: string | null) {
  if (!(error instanceof AnalyserError) || error.kind !== 'port') throw error;
  const { host, port, tls_cert_file: certificateFile } = grpc;
  // Whoever answers in the clear may be anybody, and gets no token.
  const connection = dial({ host, port, ...(certificateFile && { certificateFile, token }) });
  const other = await callStatus(connection).catch(() => null);
  connection.close();
  if (other === null) throw error;
  if (other.analyser_web_id === analyser.web_id) throw otherService(`at ${connection.address}`);
  throw new AnalyserError(
    'port',
    `${error.message} The service of ${other.analyser_web_id} answers there.`,
  );
}

async function createVerifierIfWanted(config: Config) {
  const { require_web_id_proof, allowed_issuers, max_workers } = config.grpc;
  if (!require_web_id_proof) return null;
  const { WebIdVerifier } = await import('../../solid/login/web-id-verifier.js');
  const origins = serversOf(config);
  return new WebIdVerifier({ issuers: allowed_issuers, origins, atOnce: max_workers });
}
