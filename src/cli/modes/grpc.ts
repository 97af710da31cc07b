import { createLogger } from '../../base/logger.js';
import { originsOf } from '../../config/allowed-origins.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config } from '../../config/schema.js';
import { warnOfPort } from '../../config/warnings.js';
import { startHeartbeat } from '../../store/heartbeat.js';
import { startAnalysisService } from '../../thread/analysis-service.js';
import { joinOthers } from '../../thread/join-others.js';
import type { Mode } from '../mode.js';
import { noiseWarnings } from '../noise-warning.js';
import { serveUntilStopped } from '../serve-until-stopped.js';
import { startTelemetry } from '../telemetry.js';
import { version } from '../version.js';

export const mode: Mode = async ({ env, cwd, verbose }) => {
  const { config, secrets, warnings } = await loadConfig({ env, cwd });
  const log = createLogger({ verbose });
  const ofPort = warnOfPort(config.grpc, secrets.grpcToken !== null);
  for (const warning of [...warnings, ...ofPort, ...(await noiseWarnings(config))]) {
    log.warn(warning);
  }
  const { observer, metrics, ...telemetry } = await startTelemetry(config.metrics, env, log);
  const { createQueue, leave } = await joinOthers({ config, secrets, version, log, observer });
  const verifier = await createVerifierIfWanted(config);
  const traceEnv = Object.fromEntries(
    Object.entries(env).filter(([name]) => name.startsWith('OTEL_')),
  );
  const isMeasured = metrics !== null;
  // The token is checked in this thread, so the analysis thread does not get it.
  const ofThread = { ...secrets, grpcToken: null };
  const data = { config, secrets: ofThread, version, env: traceEnv, verbose, isMeasured };
  const heartbeat = await startHeartbeat(config.output.state_dir);
  try {
    await serveUntilStopped(() => startAnalysisService({ data, log, metrics, createQueue }), {
      config,
      token: secrets.grpcToken,
      verifier,
      log,
      observer,
    });
  } finally {
    await Promise.all([heartbeat.stop(), leave(), telemetry.stop(), verifier?.close()]);
  }
};

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
