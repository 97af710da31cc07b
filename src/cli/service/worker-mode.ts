import { describeBuild } from '../../base/build.js';
import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { secretNames } from '../../config/secrets.js';
import type { ModeContext } from '../mode.js';
import { ownBuild } from '../own-build.js';
import { untilStopped } from '../stop-signals.js';
import { startWatching } from './start-watching.js';

export async function runWorker(context: ModeContext): Promise<void> {
  const { config, secrets, warnings } = await loadConfig(context);
  const { redisUrl } = secrets;
  if (redisUrl === null) {
    const { key, variable } = secretNames.redisUrl;
    throw new AnalyserError(
      'configuration',
      `A worker gets its work over Redis, and there is none: set ${variable}, or ${key}. On one machine none is needed: the mode grpc does everything.`,
    );
  }
  const log = createLogger(context);
  log.info(describeBuild(ownBuild));
  for (const warning of warnings) log.warn(warning);
  const { observe, stop } = await startWatching(config, log);
  const { startWorker } = await import('../../workers/worker.js');
  try {
    await untilStopped(
      async () => {
        const worker = await startWorker({
          config,
          secrets,
          redisUrl,
          build: ownBuild.digest,
          log,
          observe,
        });
        log.info(`reading for the service of the same build, ${ownBuild.digest}`);
        return worker;
      },
      () => log.info('Stopping: no new parts of an analysis; those in hand are finished.'),
    );
  } finally {
    await stop();
  }
}
