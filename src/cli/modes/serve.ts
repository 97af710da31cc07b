import { fileURLToPath } from 'node:url';
import { createLogger } from '../../base/logger.js';
import { loadApiConfig } from '../../config/load-api-config.js';
import { startHttpApi } from '../../http/start-http-api.js';
import { exitCodes } from '../exit-codes.js';
import type { Mode } from '../mode.js';

/** The same folder, whether this file runs from dist or from src. */
const webDir = fileURLToPath(new URL('../../../dist/web', import.meta.url));

export const mode: Mode = {
  async run({ env, cwd, verbose }) {
    const { api, output, warnings } = await loadApiConfig({ env, cwd });
    const log = createLogger({ verbose });
    for (const warning of warnings) log.warn(warning);
    const httpApi = await startHttpApi({ api, output, webDir, log });
    await new Promise((resolve) => {
      // Only the first signal: a second one ends the process at once, as if nobody listened.
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    log.info('Stopping: answers under way may finish.');
    await httpApi.stop();
    return exitCodes.ok;
  },
};
