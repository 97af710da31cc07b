import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { createEngine } from '../../cycle/engine.js';
import { exitCodes } from '../exit-codes.js';
import type { Mode } from '../mode.js';
import { serveUntilStopped } from '../serve-until-stopped.js';

export const mode: Mode = {
  async run({ env, cwd, verbose }) {
    const { config, secrets, warnings } = await loadConfig({ env, cwd });
    const log = createLogger({ verbose });
    for (const warning of warnings) log.warn(warning);
    const engine = createEngine(config, secrets, log);
    try {
      await serveUntilStopped({ engine, config, token: secrets.grpcToken, log });
      return exitCodes.ok;
    } finally {
      await engine.close();
    }
  },
};
