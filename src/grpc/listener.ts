import { constants, type ServerHttp2Stream } from 'node:http2';
import { createServer, Server as NetServer } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { CertificateFiles } from '../ports/certificate-files.js';
import { type CallerLimits, type OpenCall, OpenCalls } from '../ports/open-calls.js';
import { openPort } from '../ports/port-error.js';
import { judgeMetadataFirst } from './judge-metadata.js';
import { pingCaller } from './ping-caller.js';

interface ListenerOptions {
  host: string;
  port: number;
  limits: CallerLimits;
  /** Null without TLS. */
  certificates: CertificateFiles | null;
}

/** Our own listener on the port, because the library's has no limit on connections. */
export async function openListener(
  server: Server,
  { host, port, limits, certificates }: ListenerOptions,
) {
  const callers = new OpenCalls(limits);
  const injector = server.createConnectionInjector(credentialsOf(certificates));
  for (const http2 of innerServers(server)) {
    // Runs after the library's own listener, so that a call that is refused here also ends in the library.
    http2.on('stream', (call: ServerHttp2Stream) => {
      if (call.session !== undefined) callers.called(call.session.socket, openCall(call));
    });
    http2.on('session', pingCaller);
    if (http2 instanceof TlsServer) certificates?.renewAt(http2);
    judgeMetadataFirst(http2);
  }
  const tcp = createServer({ noDelay: true }, (socket) => {
    callers.connected(socket);
    if (!socket.destroyed) injector.injectConnection(socket);
  });
  return {
    port: await openPort(tcp, 'grpc', { host, port }),
    /** Accepts no new connections; resolves when the open connections have sent everything and ended. */
    close: () => new Promise<unknown>((resolve) => tcp.close(resolve)),
    destroyConnections: () => callers.destroy(),
  };
}

function credentialsOf(certificates: CertificateFiles | null): ServerCredentials {
  if (certificates === null) return ServerCredentials.createInsecure();
  const { cert, key } = certificates.pair;
  return ServerCredentials.createSsl(null, [{ cert_chain: cert, private_key: key }]);
}

/** The version of the library whose field is read below. A test compares it with package.json. */
export const testedVersion = '1.14.7';

/** Only the HTTP/2 servers can reset a call, and the library offers no way to reach them but a field of its own. */
function innerServers(server: Server): NetServer[] {
  const kept: unknown = Reflect.get(server, 'http2Servers');
  const keys: unknown[] = kept instanceof Map ? [...kept.keys()] : [];
  const inner = keys.filter((key) => key instanceof NetServer);
  if (inner.length > 0) return inner;
  throw new Error(
    `The installed @grpc/grpc-js keeps its HTTP/2 servers elsewhere: this needs version ${testedVersion}; run "npm ci".`,
  );
}

function openCall(stream: ServerHttp2Stream): OpenCall {
  return {
    stream,
    waitsForCaller: () => !stream.readableEnded || stream.headersSent,
    refuse: () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM),
  };
}
