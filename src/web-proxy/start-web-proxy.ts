import {
  createServer as createPlain,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import type { Logger } from '../base/logger.js';
import { RareWarning } from '../base/rare-warning.js';
import type { WebProxyConfig } from '../config/schema.js';
import { CertificateFiles, readPem } from '../ports/certificate-files.js';
import { dialled } from '../ports/dial-service.js';
import { callerLimits, OpenCalls } from '../ports/open-calls.js';
import { formatAddress, openPort } from '../ports/port-error.js';
import { answerCalls, refuse } from './pass-on.js';

/** Longer than the service goes on when it is stopped together with the proxy. */
const GRACE_MS = 30_000;
/** The same limit as at the gRPC port. */
const MOST_BYTES = 256 * 1024;
/** As much as the gRPC port takes: room for a token and a proof, which usually take two thousand bytes. */
const MOST_HEADER_BYTES = 8_192;

interface Settings extends WebProxyConfig {
  log: Logger;
}

/** Offers gRPC-Web to browsers, in front of the gRPC port. The proxy holds no key of a Pod and reads no message. */
export async function startWebProxy(settings: Settings) {
  const { web_proxy, grpc, log } = settings;
  const { host, port, origins } = web_proxy;
  const url = web_proxy.service ?? urlOf(grpc);
  const service = { url, certificateFile: grpc.tls_cert_file };
  // Read anew for each call; here it only has to be there.
  if (service.certificateFile !== null)
    await readPem('grpc.tls_cert_file', service.certificateFile);
  const failures = new RareWarning<{ err: Error }>((failure) =>
    log.warn(failure, 'The service gave no answer.'),
  );
  const onFailure = (err: Error) => failures.note({ err });
  const limits = callerLimits(grpc);
  const calls = new OpenCalls(limits);
  const certificates = await CertificateFiles.load({ section: 'web_proxy', ...web_proxy }, log);
  const door = createDoor(certificates, log);
  limitCalls(door, calls);
  await answerCalls(door, { origins, proxies: limits.proxies, service, onFailure });
  await door.ready();
  const { server } = door;
  const bound = await openPort(server, 'web_proxy', { host, port }).catch((error: unknown) => {
    certificates?.close();
    throw error;
  });
  log.info(
    `serving gRPC-Web on ${formatAddress(host, bound)} (${certificates === null ? 'plaintext' : 'TLS'}), for ${url}`,
  );
  return {
    port: bound,
    /** Takes no new connections; calls under way have `graceMs`. */
    async stop(graceMs = GRACE_MS) {
      server.close();
      const end = performance.now() + graceMs;
      while (calls.count > 0 && performance.now() < end) await pause(50);
      calls.destroy();
      certificates?.close();
    },
  };
}

function createDoor(certificates: CertificateFiles | null, log: Logger): FastifyInstance {
  const door = fastify({
    serverFactory: (handler) => createServer(certificates, handler),
    bodyLimit: MOST_BYTES,
  });
  door.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const { statusCode = 500, message } = error;
    if (statusCode === 500) log.error({ err: error }, 'A call could not be passed on.');
    return refuse(reply, statusCode, message);
  });
  return door;
}

/** Speaks HTTP/1.1 alone: a browser opens six connections, and a page has two or three calls. */
function createServer(certificates: CertificateFiles | null, handler: RequestListener): Server {
  const settings = {
    keepAlive: true,
    noDelay: true,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: MOST_HEADER_BYTES,
  };
  if (certificates === null) return createPlain(settings, handler);
  const server = createSecure({ ...settings, ...certificates.pair }, handler);
  certificates.renewAt(server);
  return server;
}

function limitCalls(door: FastifyInstance, calls: OpenCalls): void {
  door.server.on('connection', (socket) => calls.connected(socket));
  const answers = new WeakMap<Socket, ServerResponse>();
  door.addHook('onRequest', ({ raw: request }, reply, done) => {
    const { socket } = request;
    const { raw: response } = reply;
    // No browser sends the next call before the answer: with it, one connection would count for any number of calls.
    if (answers.get(socket)?.writableEnded === false) {
      socket.destroy();
      return;
    }
    answers.set(socket, response);
    calls.called(socket, {
      stream: response,
      waitsForCaller: () => !request.readableEnded || response.headersSent,
      refuse: () => socket.destroy(),
    });
    done();
  });
}

function urlOf({ host, port, tls_cert_file }: WebProxyConfig['grpc']): string {
  return `${tls_cert_file === null ? 'http' : 'https'}://${dialled(host, port).address}`;
}
