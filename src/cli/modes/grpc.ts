import { createLogger } from '../../base/logger.js';
import { originsOf } from '../../config/allowed-origins.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config } from '../../config/schema.js';
import { startAnalysisService } from '../../thread/analysis-service.js';
import { exitCodes } from '../exit-codes.js';
import { joinOthers } from '../joining.js';
import type { Mode } from '../mode.js';
import { noiseWarnings } from '../noise-warning.js';
import { serveUntilStopped } from '../serve-until-stopped.js';
import { startWatching } from '../telemetry.js';
import { readVersion } from '../version.js';

export const mode: Mode = {
  async run({ env, cwd, verbose }) {
    const { config, secrets, warnings } = await loadConfig({ env, cwd });
    const log = createLogger({ verbose });
    for (const warning of [...warnings, ...(await noiseWarnings(config))]) log.warn(warning);
    const { observer, metrics, ...watching } = await startWatching(config.metrics, env, log);
    const { createQueue, leave } = await joinOthers(config, secrets, log, observer);
    const verifier = await createVerifierIfWanted(config);
    const version = readVersion();
    const traceEnv = Object.fromEntries(
      Object.entries(env).filter(([name]) => name.startsWith('OTEL_')),
    );
    const isMeasured = metrics !== null;
    // Callers show their token at the door.
    const ofThread = { ...secrets, grpcToken: null };
    const data = { config, secrets: ofThread, version, env: traceEnv, verbose, isMeasured };
    try {
      await serveUntilStopped(() => startAnalysisService({ data, log, metrics, createQueue }), {
        config,
        token: secrets.grpcToken,
        verifier,
        log,
        observer,
      });
      return exitCodes.ok;
    } finally {
      await Promise.all([leave(), watching.stop(), verifier?.close()]);
    }
  },
};

/** Loaded only when it is asked for. */
async function createVerifierIfWanted({ analyser, data, grpc }: Config) {
  if (!grpc.require_web_id_proof) return null;
  const { WebIdVerifier } = await import('../../solid/login/web-id-verifier.js');
  const origins = [analyser.server_url, ...originsOf(data)];
  return new WebIdVerifier({ issuers: grpc.allowed_issuers, origins });
}
