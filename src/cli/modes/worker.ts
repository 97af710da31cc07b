import { AnalyserError } from '../../base/errors.js';
import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { secretPlaces } from '../../config/secrets.js';
import type { Mode } from '../mode.js';
import { startTelemetry } from '../telemetry.js';
import { untilStopped } from '../until-stopped.js';
import { version } from '../version.js';

export const mode: Mode = async ({ env, cwd, verbose }) => {
  const { config, secrets, warnings } = await loadConfig({ env, cwd });
  const { redisUrl } = secrets;
  if (redisUrl === null) {
    const { key, variable } = secretPlaces.redisUrl;
    throw new AnalyserError(
      'configuration',
      `A worker gets its work over Redis, and there is none: set ${variable}, or ${key}. On one machine none is needed: the mode grpc does everything.`,
    );
  }
  const log = createLogger({ verbose });
  for (const warning of warnings) log.warn(warning);
  const telemetry = await startTelemetry(config, env, log);
  const { startWorker } = await import('../../scale/worker.js');
  const { observer } = telemetry;
  try {
    await untilStopped(
      async () => {
        const worker = await startWorker({ config, secrets, redisUrl, version, log, observer });
        log.info(`reading for the services of version ${version}`);
        return worker;
      },
      () => log.info('Stopping: no new parts of an analysis; those in hand are finished.'),
    );
  } finally {
    await telemetry.stop();
  }
};
