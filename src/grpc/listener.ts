import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createServer, Server as NetServer } from 'node:net';
import type { Server, ServerCredentials } from '@grpc/grpc-js';
import { portError } from '../base/port-error.js';
import { type CallerLimits, Callers, longestMetadata } from './callers.js';

/** Our own listener on the port, because the library's has no limit on connections. */
export async function openListener(
  server: Server,
  credentials: ServerCredentials,
  { host, port, limits }: { host: string; port: number; limits: CallerLimits },
) {
  const callers = new Callers(limits);
  const injector = server.createConnectionInjector(credentials);
  for (const http2 of innerServers(server)) {
    // By default a caller may send megabytes. Who does not heed this is refused below.
    http2.on('session', (session: ServerHttp2Session) =>
      session.settings({ maxHeaderListSize: longestMetadata }),
    );
    // After the library's own listener, so that a call that is refused here ends there as well.
    http2.on(
      'stream',
      (call: ServerHttp2Stream, _: IncomingHttpHeaders, _flags: number, metadata: string[]) =>
        callers.called(call, metadata),
    );
  }
  const tcp = createServer({ noDelay: true }, (socket) => {
    // Without a listener, a caller that breaks off would end the service.
    socket.on('error', () => undefined);
    callers.connected(socket);
    if (!socket.destroyed) injector.injectConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    // `on`, not `once`: later errors, such as too many open files, must not end the process.
    tcp.on('error', (cause) => reject(portError('grpc', { host, port }, cause)));
    tcp.listen({ host, port }, resolve);
  });
  const address = tcp.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Accepts no new connections; resolves when the others have sent everything and ended. */
    close: () => new Promise<unknown>((resolve) => tcp.close(resolve)),
    destroyConnections: () => callers.destroy(),
  };
}

/** The library offers no way to its HTTP/2 servers, where alone a call can be reset. */
function innerServers(server: Server): NetServer[] {
  const found: unknown = Reflect.get(server, 'http2Servers');
  const servers = found instanceof Map ? [...found.keys()] : [];
  const inner = servers.filter((one: unknown) => one instanceof NetServer);
  if (inner.length > 0) return inner;
  throw new Error('This version of @grpc/grpc-js keeps its HTTP/2 servers elsewhere.');
}
