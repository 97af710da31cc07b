import { createServer, type Socket } from 'node:net';
import type { Server, ServerCredentials } from '@grpc/grpc-js';
import { AnalyserError, messageOf } from '../base/errors.js';

/** Beyond this many, further connections are turned away, so that a flood cannot fill the memory. */
const maxConnections = 1000;

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
  { host, port }: { host: string; port: number },
) {
  const injector = server.createConnectionInjector(credentials);
  const sockets = new Set<Socket>();
  const tcp = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Without a listener, a caller that breaks off would end the service.
    socket.on('error', () => undefined);
    injector.injectConnection(socket);
  });
  tcp.maxConnections = maxConnections;
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
    destroyConnections() {
      for (const socket of sockets) socket.destroy();
    },
  };
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
