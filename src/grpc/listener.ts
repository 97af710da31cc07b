import {
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer, Server as NetServer, type Socket } from 'node:net';
import type { Server, ServerCredentials } from '@grpc/grpc-js';
import { portError } from '../base/port-error.js';

interface CallerLimits {
  /** Open connections of all callers together, and open calls likewise. */
  atOnce: number;
  /** Connections of one network address; 0 for any number. */
  ofOneAddress: number;
  /** How long a connection may take until its first call. */
  firstCallMs: number;
}

/** Room for a token and a proof, of which the usual ones take two thousand. */
const longestMetadata = 8_192;

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
  const kept: unknown = Reflect.get(server, 'http2Servers');
  const keys: unknown[] = kept instanceof Map ? [...kept.keys()] : [];
  const inner = keys.filter((key) => key instanceof NetServer);
  if (inner.length > 0) return inner;
  throw new Error('This version of @grpc/grpc-js keeps its HTTP/2 servers elsewhere.');
}

interface Connection {
  socket: Socket;
  calls: Set<ServerHttp2Stream>;
  /** Runs until the first call. */
  silence: NodeJS.Timeout;
}

/**
 * The open connections and calls. Where there is one too many, the oldest gives way that waits for
 * its caller, be it the new one itself: so no flood keeps others out, and what it costs is bounded.
 */
class Callers {
  /** By address and port; the one that was used last is the last. */
  readonly #connections = new Map<string, Connection>();
  readonly #calls = new Map<ServerHttp2Stream, Connection>();

  constructor(private readonly limits: CallerLimits) {}

  connected(socket: Socket): void {
    const { atOnce, ofOneAddress, firstCallMs } = this.limits;
    const id = peerOf(socket);
    const silence = setTimeout(() => socket.destroy(), firstCallMs);
    this.#connections.set(id, { socket, calls: new Set(), silence });
    socket.once('close', () => {
      clearTimeout(silence);
      this.#connections.delete(id);
    });
    const all = [...this.#connections.values()];
    const neighbours = all.filter((other) => other.socket.remoteAddress === socket.remoteAddress);
    const crowd = ofOneAddress > 0 && neighbours.length > ofOneAddress ? neighbours : all;
    if (crowd === neighbours || all.length > atOnce) crowd.find(isIdle)?.socket.destroy();
  }

  called(call: ServerHttp2Stream, metadata: readonly string[]): void {
    const id = call.session === undefined ? '' : peerOf(call.session.socket);
    const connection = this.#connections.get(id);
    // It has broken off already.
    if (connection === undefined) return;
    clearTimeout(connection.silence);
    connection.calls.add(call);
    this.#calls.set(call, connection);
    call.once('close', () => {
      this.#calls.delete(call);
      connection.calls.delete(call);
      if (this.#connections.delete(id)) this.#connections.set(id, connection);
    });
    if (sizeOf(metadata) > longestMetadata) refuse(call);
    if (this.#calls.size > this.limits.atOnce) this.#makeRoom();
  }

  destroy(): void {
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  #makeRoom(): void {
    for (const [call, connection] of this.#calls) {
      if (!waitsForCaller(call)) continue;
      // Many can come before the first has closed.
      this.#calls.delete(call);
      // A proxy has calls of several callers on one connection.
      if (isIdle(connection)) connection.socket.destroy();
      else refuse(call);
      return;
    }
  }
}

/** Over TLS the library has another socket in hand than the listener, with the same peer. */
function peerOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>) {
  return `${remoteAddress} ${remotePort}`;
}

/** Whether the request is not all here yet, or its answer has begun. */
function waitsForCaller(call: ServerHttp2Stream): boolean {
  return !call.readableEnded || call.headersSent;
}

function isIdle({ calls }: Connection): boolean {
  return [...calls].every(waitsForCaller);
}

function refuse(call: ServerHttp2Stream): void {
  call.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
}

function sizeOf(metadata: readonly string[]): number {
  return metadata.reduce((size, text) => size + text.length, 0);
}
