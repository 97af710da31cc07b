import type { Logger } from '../../base/logger.js';
import { type LoadedWebProxyConfig, loadWebProxyConfig } from '../../config/load-config.js';
import { startWebProxy } from '../../web-proxy/start-web-proxy.js';
import { serviceMode } from './service-mode.js';

export const runWebProxy = serviceMode({
  load: loadWebProxyConfig,
  start: startProxy,
  onStop: 'Stopping: no new connections; calls under way may finish.',
});

export function startProxy(config: LoadedWebProxyConfig, log: Logger) {
  return startWebProxy({ ...config, log });
}
