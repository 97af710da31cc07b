import { createServer, type Socket, type Server as TcpServer } from 'node:net';
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
export class Listener {
  readonly #sockets = new Set<Socket>();
  #closed = Promise.resolve();

  private constructor(private readonly tcp: TcpServer) {}

  static async open(
    server: Server,
    credentials: ServerCredentials,
    { host, port }: { host: string; port: number },
  ): Promise<Listener> {
    const injector = server.createConnectionInjector(credentials);
    const tcp = createServer({ noDelay: true });
    tcp.maxConnections = maxConnections;
    const listener = new Listener(tcp);
    tcp.on('connection', (socket) => {
      listener.#sockets.add(socket);
      socket.on('close', () => listener.#sockets.delete(socket));
      // Without a listener, a caller that breaks off would end the service.
      socket.on('error', () => undefined);
      injector.injectConnection(socket);
    });
    await new Promise<void>((resolve, reject) => {
      // `on`, not `once`: later errors, such as too many open files, must not end the process.
      tcp.on('error', (cause) => reject(cannotOpen(cause, host, port)));
      tcp.listen({ host, port }, resolve);
    });
    return listener;
  }

  get port(): number {
    const address = this.tcp.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** Accepts no new connections; existing ones stay open. */
  close(): void {
    this.#closed = new Promise((resolve) => this.tcp.close(() => resolve()));
  }

  /** After `close`, resolves when every connection has sent everything and ended. */
  whenDrained(): Promise<void> {
    return this.#closed;
  }

  destroyConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
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
