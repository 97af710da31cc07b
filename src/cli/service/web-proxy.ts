import type { Logger } from '../../base/logger.js';
import { type LoadedWebProxyConfig, loadWebProxyConfig } from '../../config/load-config.js';
import { startWebProxy } from '../../web-proxy/start-web-proxy.js';
import { serviceMode } from './service-mode.js';

/** How long calls under way may go on; the service behind the proxy gives its calls the same time. */
const GRACE_MS = 30_000;

export const runWebProxy = serviceMode({
  load: loadWebProxyConfig,
  start: startProxy,
  onStop: 'Stopping: no new connections; calls under way may finish.',
});

export async function startProxy(
  config: LoadedWebProxyConfig,
  log: Logger,
): Promise<{ stop: (graceMs?: number) => Promise<void> }> {
  const proxy = await startWebProxy({ ...config, log });
  return { stop: (graceMs = GRACE_MS) => proxy.stop(graceMs) };
}
