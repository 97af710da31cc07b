import { describeBuild } from '../../base/build.js';
import { createLogger, type Logger } from '../../base/logger.js';
import { type LoadedWebProxyConfig, loadWebProxyConfig } from '../../config/load-config.js';
import { startWebProxy } from '../../web-proxy/start-web-proxy.js';
import type { ModeContext } from '../mode.js';
import { ownBuild } from '../own-build.js';
import { untilStopped } from '../stop-signals.js';

/** How long calls under way may go on; the service behind the proxy gives its calls the same time. */
const GRACE_MS = 30_000;

export async function runWebProxy(context: ModeContext): Promise<void> {
  const loaded = await loadWebProxyConfig(context);
  const log = createLogger(context);
  await untilStopped(
    () => startProxy(loaded, log),
    () => log.info('Stopping: no new connections; calls under way may finish.'),
  );
}

export async function startProxy(
  { warnings, ...config }: LoadedWebProxyConfig,
  log: Logger,
): Promise<{ stop: (graceMs?: number) => Promise<void> }> {
  log.info(describeBuild(ownBuild));
  for (const warning of warnings) log.warn(warning);
  const proxy = await startWebProxy({ ...config, log });
  return { stop: (graceMs = GRACE_MS) => proxy.stop(graceMs) };
}
