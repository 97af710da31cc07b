import {
  createServer as createPlain,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CertificateFiles, readPem } from '../base/certificate-files.js';
import { dialled } from '../base/dial-service.js';
import type { Logger } from '../base/logger.js';
import { callerLimits, OpenCalls } from '../base/open-calls.js';
import { formatAddress, openPort } from '../base/port-error.js';
import { RareWarning } from '../base/rare-warning.js';
import type { WebProxyConfig } from '../config/schema.js';
import { answerCall, type Passage } from './answer-call.js';

/** As much as the gRPC port takes: room for a token and a proof, which usually take two thousand bytes. */
const MOST_HEADER_BYTES = 8_192;

interface Settings extends WebProxyConfig {
  log: Logger;
}

export interface WebProxy {
  port: number;
  /** Takes no new connections; calls under way have `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** Offers gRPC-Web to browsers, in front of the gRPC port. The proxy holds no key of a Pod and reads no message. */
export async function startWebProxy(settings: Settings): Promise<WebProxy> {
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
  const passage = { origins, proxies: limits.proxies, service, onFailure };
  const calls = new OpenCalls(limits);

  const certificates = await CertificateFiles.load({ section: 'web_proxy', ...web_proxy }, log);
  const server = openServer(certificates, createListener(calls, passage, log));
  server.on('connection', (socket) => calls.connected(socket));
  const bound = await openPort(server, 'web_proxy', { host, port }).catch((error: unknown) => {
    certificates?.close();
    throw error;
  });
  log.info(
    `serving gRPC-Web on ${formatAddress(host, bound)} (${certificates === null ? 'plaintext' : 'TLS'}), for ${url}`,
  );
  return {
    port: bound,
    async stop(graceMs) {
      server.close();
      const end = performance.now() + graceMs;
      while (calls.count > 0 && performance.now() < end) await pause(50);
      calls.destroy();
      certificates?.close();
    },
  };
}

function createListener(calls: OpenCalls, passage: Passage, log: Logger): RequestListener {
  const answers = new WeakMap<Socket, ServerResponse>();
  return (request, response) => {
    const { socket } = request;
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
    answerCall(passage, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'A call could not be passed on.');
      socket.destroy();
    });
  };
}

function urlOf({ host, port, tls_cert_file }: WebProxyConfig['grpc']): string {
  return `${tls_cert_file === null ? 'http' : 'https'}://${dialled(host, port).address}`;
}

/** Speaks HTTP/1.1 alone: a browser opens six connections, and a page has two or three calls. */
function openServer(certificates: CertificateFiles | null, listener: RequestListener): Server {
  const settings = {
    keepAlive: true,
    noDelay: true,
    keepAliveTimeout: 60_000,
    connectionsCheckingInterval: 5_000,
    maxHeaderSize: MOST_HEADER_BYTES,
  };
  if (certificates === null) return createPlain(settings, listener);
  const server = createSecure({ ...settings, ...certificates.pair }, listener);
  certificates.renewAt(server);
  return server;
}
