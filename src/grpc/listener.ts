import {
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { createServer, Server as NetServer } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { type Server, ServerCredentials } from '@grpc/grpc-js';
import type { CertificateFiles } from '../ports/certificate-files.js';
import { type CallerLimits, type OpenCall, OpenCalls } from '../ports/open-calls.js';
import { openPort } from '../ports/port-error.js';

/** A caller that has vanished is noticed within a minute, and its analysis stopped. */
const EVERY_MS = 25_000;

/** The library's own pings end a connection that is closing, although its call may still be answered. */
function pingCaller(session: ServerHttp2Session): void {
  let isAnswered = true;
  const ping = () => {
    if (!isAnswered) {
      session.destroy();
      return;
    }
    // Node sends no ping on a connection that is closing; its last replies are under way.
    if (session.closed) return;
    isAnswered = false;
    session.ping((error) => {
      isAnswered = error === null;
    });
  };
  const pings = setInterval(ping, EVERY_MS).unref();
  session.once('close', () => clearInterval(pings));
}

/** Room for a token and a proof, which usually take two thousand bytes. */
const mostBytes = 8_192;
/** The bytes that HTTP/2 counts for each header in addition to its name and value. */
const ofEach = 32;

/**
 * The library copies metadata many times before it looks at the token or the size, and HTTP/2 enforces the bounds only
 * after the caller has acknowledged them; until then a few compressed bytes can expand to a thousand times as many. So
 * who goes beyond the bounds without having acknowledged them loses the connection.
 */
function judgeMetadataFirst(http2: NetServer): void {
  http2.on('session', (session: ServerHttp2Session) =>
    session.settings({ maxHeaderListSize: mostBytes }),
  );
  const listeners = http2.listeners('stream');
  http2.removeAllListeners('stream');
  http2.on(
    'stream',
    (call: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, raw: string[]) => {
      if (isWithinBounds(raw)) {
        for (const listener of listeners)
          Reflect.apply(listener, http2, [call, headers, flags, raw]);
        return;
      }
      call.on('error', () => undefined);
      // Proxies acknowledge the bounds, so this never ends a proxy's connection, which carries calls of others too.
      if (call.session?.pendingSettingsAck === true) call.session.destroy();
      else call.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    },
  );
}

/** Names and values alternate. The library splits values at commas, so every comma costs room. */
function isWithinBounds(metadata: readonly string[]): boolean {
  let room = mostBytes - (metadata.length / 2) * ofEach;
  for (const text of metadata) {
    room -= text.length;
    for (let at = text.indexOf(','); at >= 0 && room >= 0; at = text.indexOf(',', at + 1)) {
      room -= ofEach;
    }
    if (room < 0) return false;
  }
  return true;
}

interface ListenerOptions {
  host: string;
  port: number;
  limits: CallerLimits;
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
