import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { connect as connectTcp, type Socket } from 'node:net';
import { AnalyseRequest } from '../../src/generated/healthpod/analyser/v1/analyser.js';
import { frameMessage } from '../grpc/frame-message.js';

export const analysePath = '/healthpod.analyser.v1.Analyser/Analyse';

/** A call in the name of a WebID, to end an open call with. */
export function analyseMessage(web_id: string): Buffer {
  const request = { web_id, shared_file_count: 0, requested_at: '' };
  return frameMessage(AnalyseRequest.encode(request).finish());
}

/** Somebody who reaches the port and keeps to no rule. */
export class GrpcAttacker implements Disposable {
  readonly #sessions: ClientHttp2Session[] = [];
  readonly #sockets: Socket[] = [];

  constructor(private readonly port: number) {}

  session(localAddress = '127.0.0.1'): ClientHttp2Session {
    const session = connect(`http://127.0.0.1:${this.port}`, {
      maxSendHeaderBlockLength: 1_000_000,
      createConnection: () => connectTcp({ port: this.port, host: '127.0.0.1', localAddress }),
    });
    session.on('error', () => undefined);
    this.#sessions.push(session);
    return session;
  }

  /** A connection that never says a word. */
  silentSocket(localAddress = '127.0.0.1'): Socket {
    const socket = connectTcp({ port: this.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined).resume();
    this.#sockets.push(socket);
    return socket;
  }

  /** A call whose message does not come. */
  openCall(
    session: ClientHttp2Session,
    metadata: Record<string, string> = {},
    path = analysePath,
  ): ClientHttp2Stream {
    const call = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...metadata,
    });
    call.on('error', () => undefined).resume();
    return call;
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }
}

export function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Where a service of a process of its own listens. */
export async function portOf(service: { logged(text: string): Promise<string> }): Promise<number> {
  const line = await service.logged('serving gRPC on');
  return Number(/127\.0\.0\.1:(\d+) /.exec(line)?.[1]);
}
