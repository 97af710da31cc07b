import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Analyser } from '../../src/client/run-analysis.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import { startServer } from '../../src/grpc/server.js';
import { unobserved } from '../../src/run/observer.js';
import { startAnalysisService } from '../../src/thread/analysis-service.js';
import type { InitialisedPod } from './initialised-pod.js';
import { noLog, nowhere } from './no-log.js';

export interface AnalyserService {
  /** As a client finds it. */
  analyser: Analyser;
  port: number;
  stop(): Promise<void>;
}

/** The real service for an Analyser Pod, on a free port, with a var/ of its own. */
export async function startAnalyserService(
  server: { baseUrl: string },
  { account, pod, securityKey }: Pick<InitialisedPod, 'account' | 'pod' | 'securityKey'>,
  options: {
    token?: string;
    securityKey?: string;
    data?: Partial<Config['data']>;
    timeoutSeconds?: number;
  } = {},
): Promise<AnalyserService> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-service-'));
  const config = configSchema.parse({
    analyser: { web_id: pod.webId, server_url: server.baseUrl, app_dir_name: pod.appDir },
    data: options.data ?? {},
    grpc: { host: '127.0.0.1', port: 0, analysis_timeout_seconds: options.timeoutSeconds },
    output: {
      state_dir: join(folder, 'state'),
      results_dir: join(folder, 'results'),
      charts_dir: join(folder, 'charts'),
    },
  });
  const { clientId, clientSecret } = account;
  const token = options.token ?? null;
  const key = options.securityKey ?? securityKey;
  const secrets = { securityKey: key, clientId, clientSecret, grpcToken: token, redisUrl: null };
  const data = {
    config,
    secrets,
    version: '0',
    env: {},
    verbose: false,
    logTo: nowhere,
    isMeasured: false,
  };
  const { stop, ...analyses } = await startAnalysisService({ data, log: noLog });
  const grpc = await startServer({ ...analyses, config, token, log: noLog, observer: unobserved });
  return {
    port: grpc.port,
    analyser: {
      analyserWebId: pod.webId,
      service: { host: '127.0.0.1', port: grpc.port, certificateFile: null, token },
    },
    stop: async () => {
      await grpc.stop(0);
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
