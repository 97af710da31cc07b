import type { IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createServer, Server as NetServer } from 'node:net';
import type { Server, ServerCredentials } from '@grpc/grpc-js';
import { AnalyserError, messageOf } from '../base/errors.js';
import { type CallerLimits, Callers, longestMetadata } from './callers.js';

const reasons: Record<string, string> = {
  EADDRINUSE: 'is in use by another program; stop that or choose another grpc.port',
  EACCES: 'may not be opened by this account; choose a grpc.port above 1023',
  EADDRNOTAVAIL: 'cannot be opened: grpc.host is not an address of this machine',
  ENOTFOUND: 'cannot be opened: grpc.host is not a known name',
};

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
    tcp.on('error', (cause) => reject(cannotOpen(cause, host, port)));
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

function cannotOpen(cause: NodeJS.ErrnoException, host: string, port: number): AnalyserError {
  const reason = reasons[cause.code ?? ''] ?? `cannot be opened (${messageOf(cause)})`;
  return new AnalyserError(
    'configuration',
    `The gRPC port ${formatAddress(host, port)} ${reason}.`,
    { cause },
  );
}

export function formatAddress(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
