import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import type { Config } from '../../config/schema.js';
import { createEngine } from '../../run/engine.js';
import { exitCodes } from '../exit-codes.js';
import { joinOthers } from '../joining.js';
import type { Mode } from '../mode.js';
import { serveUntilStopped } from '../serve-until-stopped.js';
import { startWatching } from '../watching.js';

export const mode: Mode = {
  async run({ env, cwd, verbose }) {
    const { config, secrets, warnings } = await loadConfig({ env, cwd });
    const log = createLogger({ verbose });
    for (const warning of warnings) log.warn(warning);
    const watching = await startWatching(config.metrics, env, log);
    const { observer } = watching;
    const joined = await joinOthers(config, secrets, log);
    const engine = createEngine(config, secrets, log, observer, joined.workforce);
    const verifier = await createVerifierIfWanted(config);
    const token = secrets.grpcToken;
    try {
      const { createLine } = joined;
      const settings = { engine, config, token, verifier, log, observer };
      await serveUntilStopped({ ...settings, ...(createLine && { createLine }) });
      return exitCodes.ok;
    } finally {
      await Promise.all([engine.close(), joined.leave(), watching.stop(), verifier?.close()]);
    }
  },
};

/** Loaded only when it is asked for. */
async function createVerifierIfWanted({ analyser, data, grpc }: Config) {
  if (!grpc.require_web_id_proof) return null;
  const { WebIdVerifier } = await import('../../solid/web-id-verifier.js');
  const origins = [analyser.server_url, ...data.allowed_origins];
  return new WebIdVerifier({ issuers: grpc.allowed_issuers, origins });
}
