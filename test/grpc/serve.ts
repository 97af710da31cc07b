import { createLogger } from '../../src/base/logger.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import { type RunningServer, startServer } from '../../src/grpc/server.js';
import { unobserved } from '../../src/run/observer.js';
import type { Pauses } from '../../src/service/readiness.js';
import { PlainClient } from './plain-client.js';
import { analyserWebId, ScriptedAnalyses, startScriptedAnalyses } from './scripted-analyses.js';

type Settings = Partial<
  Omit<Parameters<typeof startServer>[0], 'config' | 'log' | 'queue' | 'readiness'>
>;

export interface Service extends AsyncDisposable {
  analyses: ScriptedAnalyses;
  server: RunningServer;
  /** A caller of its own; closed with the service. */
  client(authorization?: string): PlainClient;
  /** Everything logged so far. */
  log(): string;
}

/** A service on a free port around scripted analyses; every caller has a turn of their own. */
export async function serve({
  analyses = new ScriptedAnalyses(),
  grpc = {},
  pauses,
  ...settings
}: {
  analyses?: ScriptedAnalyses;
  grpc?: Partial<Config['grpc']>;
  pauses?: Pauses;
} & Settings = {}): Promise<Service> {
  const lines: string[] = [];
  const config = configSchema.parse({
    analyser: { web_id: analyserWebId, server_url: 'https://pods.example/' },
    grpc: { host: '127.0.0.1', port: 0, ...grpc },
  });
  const log = createLogger({ verbose: true, stream: { write: (line) => void lines.push(line) } });
  const { stop, ...behind } = await startScriptedAnalyses(analyses, config, log, pauses);
  const server = await startServer({
    ...behind,
    config,
    token: null,
    log,
    observe: unobserved,
    ...settings,
  }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const clients: PlainClient[] = [];
  return {
    analyses,
    server: {
      port: server.port,
      async stop(graceMs) {
        await server.stop(graceMs);
        await stop();
      },
    },
    client(authorization) {
      const client = new PlainClient(server.port, authorization ?? null);
      clients.push(client);
      return client;
    },
    log: () => lines.join(''),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      await server.stop(0);
      await stop();
    },
  };
}
