import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLogger } from '../../base/logger.js';
import { loadConfig } from '../../config/load-config.js';
import { startServer } from '../../grpc/server.js';
import { startHttpApi } from '../../http/start-http-api.js';
import { unobserved } from '../../run/observer.js';
import { startAnalysisService } from '../../thread/analysis-service.js';
import { readVersion } from '../version.js';

const webDir = fileURLToPath(new URL('../../../dist/web', import.meta.url));

export interface DemoService {
  /** The address of the HTTP API and the dashboard. */
  address: string;
  logFile: string;
  stop(): Promise<void>;
}

/** Starts what the modes grpc and serve run, in this process from one configuration. */
export async function startService(configFile: string, folder: string): Promise<DemoService> {
  const env = { APP_ANALYSER_CONFIG: configFile };
  const { config, secrets } = await loadConfig({ env, cwd: folder });
  const logFile = join(folder, 'service.log');
  const stream = { write: (line: string) => appendFileSync(logFile, line) };
  const log = createLogger({ verbose: false, stream });
  const { api, output } = config;
  const stops: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const data = {
      config,
      secrets,
      version: readVersion(),
      env: {},
      verbose: false,
      isMeasured: false,
    };
    const { stop: stopAnalyses, ...analyses } = await startAnalysisService({ data, log });
    stops.push(stopAnalyses);
    const token = secrets.grpcToken;
    const grpc = await startServer({ ...analyses, config, token, log, observer: unobserved });
    stops.push(() => grpc.stop(0));
    const http = await startHttpApi({ api, output, webDir, log });
    stops.push(() => http.stop());
    return { address: http.address, logFile, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
