import { setTimeout as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { Analyser } from '../../src/client/run-analysis.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import { startServer } from '../../src/grpc/server.js';
import { unobserved } from '../../src/run/observer.js';
import type { Pauses } from '../../src/service/readiness.js';
import { startAnalyses } from '../../src/service/start-analyses.js';
import { PlainClient } from '../grpc/plain-client.js';
import { atEnd } from './at-end.js';
import type { InitialisedPod } from './initialised-pod.js';
import { noLog } from './no-log.js';
import { outputBelow } from './output-below.js';
import { type Credentials, silentThread } from './silent-thread.js';
import { newFolder } from './temp-folder.js';

export interface AnalyserService extends AsyncDisposable {
  /** As a client finds it. */
  analyser: Analyser;
  /** Knows the service by its .proto alone, as an app in another language. */
  client: PlainClient;
  port: number;
  /** Its var/. */
  folder: string;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  token?: string;
  /** Default: those of the Analyser. */
  credentials?: Partial<Credentials>;
  data?: z.input<typeof configSchema>['data'];
  grpc?: Partial<Config['grpc']>;
  pauses?: Pauses;
}

/** The real service for an Analyser Pod, on a free port, with a var/ of its own, until the test file ends. */
export async function startAnalyserService(
  server: { baseUrl: string },
  { account, pod, securityKey }: Pick<InitialisedPod, 'account' | 'pod' | 'securityKey'>,
  options: ServiceOptions = {},
): Promise<AnalyserService> {
  const folder = await newFolder();
  const config = configSchema.parse({
    analyser: { web_id: pod.webId, server_url: server.baseUrl, app_dir_name: pod.appDir },
    data: options.data ?? {},
    grpc: { host: '127.0.0.1', port: 0, ...options.grpc },
    output: outputBelow(folder),
  });
  const credentials = { securityKey, ...account, ...options.credentials };
  // A service in production waits longer between two tries to get ready.
  const { token = null, pauses = { firstMs: 100, longestMs: 100 } } = options;
  const data = silentThread(config, credentials, pauses);
  const silent = { log: noLog, observe: unobserved };
  const { stop, ...analyses } = await startAnalyses({ data, env: process.env, ...silent });
  // On a busy machine that takes longer than a service waits for it.
  for (let look = 0; look < 600 && isLoggingIn(analyses.readiness); look += 1) await pause(50);
  const grpc = await startServer({ ...analyses, ...silent, config, token });
  const client = new PlainClient(grpc.port, token === null ? null : `Bearer ${token}`);
  const stopAll = atEnd(async () => {
    client.close();
    await grpc.stop(0);
    await stop();
  });
  return {
    port: grpc.port,
    folder,
    client,
    analyser: {
      analyserWebId: pod.webId,
      service: { host: '127.0.0.1', port: grpc.port, certificateFile: null, token },
    },
    stop: stopAll,
    [Symbol.asyncDispose]: stopAll,
  };
}

function isLoggingIn({ state }: { state: { reason: string } }): boolean {
  return state.reason === 'The service is logging in.';
}
