import type { Logger } from '../../base/logger.js';
import { type LoadedApiConfig, loadApiConfig } from '../../config/load-config.js';
import { startHttpApi } from '../../http/start-http-api.js';
import { ownBuild } from '../own-build.js';
import { serviceMode } from './service-mode.js';

export const runServe = serviceMode({
  load: loadApiConfig,
  start: startServe,
  onStop: 'Stopping.',
});

export function startServe({ api, output }: LoadedApiConfig, log: Logger) {
  return startHttpApi({ api, output, build: ownBuild, log });
}
