import type { Socket } from 'node:net';
import { AddressSet, networkOf } from './caller-address.js';

/** Room for calls and connections beside the waiting ones, so that Cancel and Status get through. */
const OTHERS = 100;
/** How long a connection may take until its first call. */
const FIRST_CALL_MS = 10_000;

export interface CallerLimits {
  /** The most open connections of all callers together; the same number limits the open calls. */
  atOnce: number;
  /** The most connections of one address or IPv6 network, unless it is a proxy; 0 means no limit. */
  ofOneAddress: number;
  proxies: AddressSet;
}

/** The limits that the section `grpc` of the configuration sets, for its port and for the proxy in front of it. */
export function callerLimits(grpc: {
  max_queued: number;
  max_connections_per_peer: number;
  trusted_proxies: readonly string[];
}): CallerLimits {
  return {
    atOnce: grpc.max_queued + OTHERS,
    ofOneAddress: grpc.max_connections_per_peer,
    proxies: new AddressSet(grpc.trusted_proxies),
  };
}

/** A call on one of the connections, over any protocol. */
export interface OpenCall {
  stream: { once(event: 'close', listener: () => void): unknown };
  /** Whether the caller has to act: the request has not arrived completely, or its answer is being sent. */
  waitsForCaller(): boolean;
  refuse(): void;
}

type Peer = Pick<Socket, 'remoteAddress' | 'remotePort'>;

interface Connection {
  socket: Socket;
  network: string;
  calls: Set<OpenCall>;
  /** Ends a connection without calls; the first call stops this timer. */
  silence: NodeJS.Timeout;
}

/** When there is one call too many, the oldest that waits for its caller is ended: a flood keeps nobody else out. */
export class OpenCalls {
  /** By address and port. A connection moves to the end when one of its calls ends. */
  readonly #connections = new Map<string, Connection>();
  readonly #calls = new Map<OpenCall, Connection>();

  constructor(private readonly limits: CallerLimits) {}

  get count(): number {
    return this.#calls.size;
  }

  connected(socket: Socket): void {
    // Without a listener, a caller that breaks off would end the process.
    socket.on('error', () => undefined);
    const { atOnce, ofOneAddress, proxies } = this.limits;
    const id = nameOf(socket);
    const silence = setTimeout(() => socket.destroy(), FIRST_CALL_MS);
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    this.#connections.set(id, { socket, network, calls: new Set(), silence });
    socket.once('close', () => {
      clearTimeout(silence);
      this.#connections.delete(id);
    });
    const all = [...this.#connections.values()];
    const neighbours = all.filter((other) => other.network === network);
    const isCrowded = ofOneAddress > 0 && neighbours.length > ofOneAddress && !proxies.has(address);
    const crowd = isCrowded ? neighbours : all;
    if (isCrowded || all.length > atOnce) crowd.find(isIdle)?.socket.destroy();
  }

  called(peer: Peer, call: OpenCall): void {
    const id = nameOf(peer);
    const connection = this.#connections.get(id);
    // The connection has broken off already.
    if (connection === undefined) return;
    clearTimeout(connection.silence);
    connection.calls.add(call);
    this.#calls.set(call, connection);
    call.stream.once('close', () => {
      this.#calls.delete(call);
      connection.calls.delete(call);
      if (this.#connections.delete(id)) this.#connections.set(id, connection);
    });
    if (this.#calls.size > this.limits.atOnce) this.#makeRoom();
  }

  destroy(): void {
    for (const { socket } of this.#connections.values()) socket.destroy();
  }

  #makeRoom(): void {
    for (const [call, connection] of this.#calls) {
      if (!call.waitsForCaller()) continue;
      // Forgotten at once, because many more calls can come before this one has closed.
      this.#calls.delete(call);
      // A proxy's connection carries calls of several callers. Perhaps not all of them wait for their caller.
      if (isIdle(connection)) connection.socket.destroy();
      else call.refuse();
      return;
    }
  }
}

/** Over TLS, the server and the listener have different sockets for one connection, but with the same peer. */
function nameOf({ remoteAddress, remotePort }: Peer): string {
  return `${remoteAddress} ${remotePort}`;
}

function isIdle({ calls }: Connection): boolean {
  return [...calls].every((call) => call.waitsForCaller());
}
