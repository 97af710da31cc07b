import { AnalyserError } from '../base/errors.js';
import { portError } from '../base/port-error.js';
import { buildServer, type HttpApiOptions } from './build-server.js';

export interface HttpApi {
  address: string;
  /** Lets answers under way finish, for a few seconds. */
  stop(): Promise<void>;
}

const patienceMs = 5_000;

/** The read-only HTTP API and the dashboard: local files in, JSON out, no Pod in reach. */
export async function startHttpApi(options: HttpApiOptions): Promise<HttpApi> {
  const { enabled, host, port } = options.api;
  if (!enabled) {
    throw new AnalyserError(
      'configuration',
      'The HTTP API is switched off: set api.enabled to true in the configuration to serve it.',
    );
  }
  const server = await buildServer(options);
  const listenTextResolver = (at: string) =>
    `The HTTP API is at ${at}, its documentation at ${at}/docs.`;
  const address = await server
    .listen({ host, port, listenTextResolver })
    .catch(async (error: unknown) => {
      await server.close();
      throw portError('api', { host, port }, error);
    });
  return {
    address,
    async stop() {
      const impatience = setTimeout(() => {
        server.server.closeAllConnections();
      }, patienceMs);
      try {
        await server.close();
      } finally {
        clearTimeout(impatience);
      }
    },
  };
}
