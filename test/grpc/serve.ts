import { createLogger } from '../../src/base/logger.js';
import { type Config, configSchema } from '../../src/config/schema.js';
import { type RunningServer, startServer } from '../../src/grpc/server.js';
import { PlainClient } from './plain-client.js';
import { analyserWebId, ScriptedEngine } from './scripted-engine.js';

type Settings = Partial<
  Omit<Parameters<typeof startServer<string>>[0], 'config' | 'engine' | 'log'>
>;

export interface Service extends AsyncDisposable {
  engine: ScriptedEngine;
  server: RunningServer;
  /** A caller of its own; closed with the service. */
  client(authorization?: string): PlainClient;
  /** Everything logged so far. */
  log(): string;
}

/** A service on a free port around a scripted engine. */
export async function serve({
  engine = new ScriptedEngine(),
  grpc = {},
  ...settings
}: { engine?: ScriptedEngine; grpc?: Partial<Config['grpc']> } & Settings = {}): Promise<Service> {
  const lines: string[] = [];
  const config = configSchema.parse({
    analyser: { web_id: analyserWebId, server_url: 'https://pods.example/' },
    grpc: { host: '127.0.0.1', port: 0, ...grpc },
  });
  const server = await startServer({
    engine,
    config,
    token: null,
    log: createLogger({ verbose: true, stream: { write: (line) => void lines.push(line) } }),
    pauses: { firstMs: 5, longestMs: 20 },
    ...settings,
  });
  const clients: PlainClient[] = [];
  return {
    engine,
    server,
    client(authorization) {
      const client = new PlainClient(server.port, authorization ?? null);
      clients.push(client);
      return client;
    },
    log: () => lines.join(''),
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close();
      await server.stop(0);
    },
  };
}
