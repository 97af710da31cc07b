import { AnalyserError } from '../../base/errors.js';
import type { Logger } from '../../base/logger.js';
import { type LoadedConfig, loadConfig } from '../../config/load-config.js';
import { secretNames } from '../../config/secrets.js';
import { ownBuild } from '../own-build.js';
import { serviceMode } from './service-mode.js';
import { startWatching } from './start-watching.js';

export const runWorker = serviceMode({
  load: loadConfig,
  start: startReading,
  onStop: 'Stopping: no new parts of an analysis; those in hand are finished.',
});

async function startReading({ config, secrets }: LoadedConfig, log: Logger) {
  const { redisUrl } = secrets;
  if (redisUrl === null) {
    const { key, variable } = secretNames.redisUrl;
    throw new AnalyserError(
      'configuration',
      `A worker gets its work over Redis, and there is none: set ${variable}, or ${key}. On one machine none is needed: the mode grpc does everything.`,
    );
  }
  const { observe, stop: stopWatching } = await startWatching(config, log);
  const { startWorker } = await import('../../workers/worker.js');
  const own = { build: ownBuild.digest, log, observe };
  const worker = await startWorker({ config, secrets, redisUrl, ...own });
  log.info(`reading for the service of the same build, ${ownBuild.digest}`);
  return {
    async stop() {
      await worker.stop();
      await stopWatching();
    },
  };
}
