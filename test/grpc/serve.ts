import { createLogger } from '../../src/base/logger.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import { type RunningServer, startServer } from '../../src/grpc/server.js';
import { unobserved } from '../../src/run/observer.js';
import type { Pauses } from '../../src/service/readiness.js';
import { PlainClient } from './plain-client.js';
import { startScriptedAnalyses } from './scripted-analyses.js';
import { analyserWebId, ScriptedEngine } from './scripted-engine.js';

type Settings = Partial<
  Omit<Parameters<typeof startServer>[0], 'config' | 'log' | 'queue' | 'readiness'>
>;

export interface Service extends AsyncDisposable {
  engine: ScriptedEngine;
  server: RunningServer;
  stateDir: string;
  /** A caller of its own; closed with the service. */
  client(authorization?: string): PlainClient;
  /** Everything logged so far. */
  log(): string;
}

/** A service on a free port around a scripted engine; every caller has a turn of their own. */
export async function serve({
  engine = new ScriptedEngine(),
  grpc = {},
  pauses,
  ...settings
}: {
  engine?: ScriptedEngine;
  grpc?: Partial<Config['grpc']>;
  pauses?: Pauses;
} & Settings = {}): Promise<Service> {
  const lines: string[] = [];
  const config = configSchema.parse({
    analyser: { web_id: analyserWebId, server_url: 'https://pods.example/' },
    grpc: { host: '127.0.0.1', port: 0, ...grpc },
  });
  const log = createLogger({ verbose: true, stream: { write: (line) => void lines.push(line) } });
  const { stop, stateDir, ...analyses } = await startScriptedAnalyses(engine, config, log, pauses);
  const server = await startServer({
    ...analyses,
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
    engine,
    stateDir,
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
