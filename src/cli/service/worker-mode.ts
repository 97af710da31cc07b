import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { secretPlaces } from '../../config/secrets.js';
import type { ModeContext } from '../mode.js';
import { untilStopped } from '../stop-signals.js';
import { version } from '../version.js';
import { startTelemetry } from './telemetry.js';

export async function runWorker(context: ModeContext): Promise<void> {
  const { config, secrets, warnings } = await loadConfig(context);
  const { redisUrl } = secrets;
  if (redisUrl === null) {
    const { key, variable } = secretPlaces.redisUrl;
    throw new AnalyserError(
      'configuration',
      `A worker gets its work over Redis, and there is none: set ${variable}, or ${key}. On one machine none is needed: the mode grpc does everything.`,
    );
  }
  const log = createLogger(context);
  for (const warning of warnings) log.warn(warning);
  const telemetry = await startTelemetry(config, context.env, log);
  const { startWorker } = await import('../../scale/worker.js');
  try {
    await untilStopped(
      async () => {
        const worker = await startWorker({
          config,
          secrets,
          redisUrl,
          version,
          log,
          observer: telemetry.observer,
        });
        log.info(`reading for the services of version ${version}`);
        return worker;
      },
      () => log.info('Stopping: no new parts of an analysis; those in hand are finished.'),
    );
  } finally {
    await telemetry.stop();
  }
}
