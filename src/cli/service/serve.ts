import { describeBuild } from '../../base/build.js';
import { createLogger, type Logger } from '../../base/logger.js';
import { type LoadedApiConfig, loadApiConfig } from '../../config/load-config.js';
import { type HttpApi, startHttpApi } from '../../http/start-http-api.js';
import type { ModeContext } from '../mode.js';
import { ownBuild } from '../own-build.js';
import { untilStopped } from '../stop-signals.js';

export async function runServe(context: ModeContext): Promise<void> {
  const loaded = await loadApiConfig(context);
  const log = createLogger(context);
  await untilStopped(
    () => startServe(loaded, log),
    () => log.info('Stopping.'),
  );
}

export function startServe(
  { api, output, warnings }: LoadedApiConfig,
  log: Logger,
): Promise<HttpApi> {
  log.info(describeBuild(ownBuild));
  for (const warning of warnings) log.warn(warning);
  return startHttpApi({ api, output, build: ownBuild, log });
}
