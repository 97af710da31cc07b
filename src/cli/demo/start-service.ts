import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { startServer } from '../../grpc/server.js';
import { startHttpApi } from '../../http/start-http-api.js';
import { unobserved } from '../../run/observer.js';
import { startAnalysisService } from '../../thread/analysis-service.js';
import { version } from '../version.js';

const webDir = fileURLToPath(new URL('../../../dist/web', import.meta.url));

/**
 * Starts what the modes grpc and serve run, in this process from one configuration. Returns the
 * address of the dashboard and the path of the log.
 */
export async function startService(
  configFile: string,
  folder: string,
  cleanUp: (() => Promise<unknown>)[],
): Promise<{ dashboard: string; logFile: string }> {
  const env = { APP_ANALYSER_CONFIG: configFile };
  const { config, secrets } = await loadConfig({ env, cwd: folder });
  const logFile = join(folder, 'service.log');
  const logTo = openSync(logFile, 'a');
  const log = createLogger({ verbose: false, stream: logTo });
  const { api, output } = config;
  const data = { config, secrets, version, env: {}, verbose: false, logTo, isMeasured: false };
  const { stop, ...analyses } = await startAnalysisService({ data, log });
  cleanUp.push(stop);
  const token = secrets.grpcToken;
  const grpc = await startServer({ ...analyses, config, token, log, observer: unobserved });
  cleanUp.push(() => grpc.stop(0));
  const http = await startHttpApi({ api, output, webDir, log });
  cleanUp.push(() => http.stop());
  return { dashboard: http.address, logFile };
}
