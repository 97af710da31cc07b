import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { createEngine } from '../../cycle/engine.js';
import { exitCodes } from '../exit-codes.js';
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
    const engine = createEngine(config, secrets, log, observer);
    try {
      await serveUntilStopped({ engine, config, token: secrets.grpcToken, log, observer });
      return exitCodes.ok;
    } finally {
      await Promise.all([engine.close(), watching.stop()]);
    }
  },
};
