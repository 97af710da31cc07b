import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, configSchema } from '../../src/config/schema.js';
import { startServer } from '../../src/grpc/server.js';
import { unobserved } from '../../src/run/observer.js';
import type { Pauses } from '../../src/run/readiness.js';
import { startAnalysisService } from '../../src/thread/analysis-service.js';
import type { InitialisedPod } from '../support/initialised-pod.js';
import { noLog, nowhere } from '../support/no-log.js';
import { PlainClient } from './plain-client.js';

export interface RealService extends AsyncDisposable {
  /** Knows the service by its .proto alone. */
  client: PlainClient;
  /** Its var/. */
  folder: string;
}

/** The whole service on a free port, for the Pod of the Analyser, with a var/ of its own. */
export async function startRealService(
  analyser: Pick<InitialisedPod, 'account' | 'securityKey'>,
  serverUrl: string,
  options: {
    grpc?: Partial<Config['grpc']>;
    pauses?: Pauses;
    credentials?: { clientId: string; clientSecret: string };
    /** What is in its var/ before it starts. */
    prepare?: (folder: string) => Promise<void>;
  } = {},
): Promise<RealService> {
  const folder = await mkdtemp(join(tmpdir(), 'bp-service-'));
  await options.prepare?.(folder);
  const { account, securityKey } = analyser;
  const { clientId, clientSecret } = options.credentials ?? account;
  const config = configSchema.parse({
    analyser: { web_id: account.webId, server_url: serverUrl },
    grpc: { host: '127.0.0.1', port: 0, ...options.grpc },
    output: {
      state_dir: join(folder, 'state'),
      results_dir: join(folder, 'results'),
      charts_dir: join(folder, 'charts'),
    },
  });
  const secrets = { securityKey, clientId, clientSecret, grpcToken: null, redisUrl: null };
  const { pauses = { firstMs: 100, longestMs: 100 } } = options;
  const data = {
    config,
    secrets,
    version: '0',
    env: {},
    verbose: false,
    logTo: nowhere,
    isMeasured: false,
    pauses,
  };
  const { stop, ...analyses } = await startAnalysisService({ data, log: noLog });
  const server = await startServer({
    ...analyses,
    config,
    token: null,
    log: noLog,
    observer: unobserved,
  });
  const client = new PlainClient(server.port);
  return {
    client,
    folder,
    async [Symbol.asyncDispose]() {
      client.close();
      await server.stop(0);
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}
