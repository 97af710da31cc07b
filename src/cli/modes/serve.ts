import { fileURLToPath } from 'node:url';
import { createLogger } from '../../base/logger.js';
import { loadApiConfig } from '../../config/load-api-config.js';
import { startHttpApi } from '../../http/start-http-api.js';
import type { Mode } from '../mode.js';
import { untilStopped } from '../until-stopped.js';

/** The path is right whether this file runs from dist or from src. */
const webDir = fileURLToPath(new URL('../../../dist/web', import.meta.url));

export const mode: Mode = async ({ env, cwd, verbose }) => {
  const { api, output, warnings } = await loadApiConfig({ env, cwd });
  const log = createLogger({ verbose });
  for (const warning of warnings) log.warn(warning);
  await untilStopped(
    () => startHttpApi({ api, output, webDir, log }),
    () => log.info('Stopping: answers under way may finish.'),
  );
};
