import { createServer as createPlain } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CertificateFiles } from '../base/certificate-files.js';
import { dialled } from '../base/dial-service.js';
import { isWithinBounds, judgeMetadataFirst } from '../base/judge-metadata.js';
import type { Logger } from '../base/logger.js';
import { CALLS_PER_CONNECTION, callerLimits, OpenCalls } from '../base/open-calls.js';
import { formatAddress, openPort } from '../base/port-error.js';
import { RareWarning } from '../base/rare-warning.js';
import type { WebProxyConfig } from '../config/schema.js';
import {
  answerCall,
  breakOff,
  type Passage,
  type Request,
  type Response,
  refuse,
} from './answer-call.js';

interface Settings extends WebProxyConfig {
  log: Logger;
  /** How long a connection may take until its first call. */
  firstCallMs?: number;
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
  const failures = new RareWarning<{ err: Error }>((failure) =>
    log.warn(failure, 'The service gave no answer.'),
  );
  const onFailure = (err: Error) => failures.note({ err });
  const limits = callerLimits(grpc, settings.firstCallMs);
  const passage = { origins, proxies: limits.proxies, service, onFailure };
  const calls = new OpenCalls(limits);

  const certificates = await CertificateFiles.load({ section: 'web_proxy', ...web_proxy }, { log });
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

function createListener(calls: OpenCalls, passage: Passage, log: Logger) {
  return (request: Request, response: Response) => {
    calls.called(request.socket, {
      stream: response,
      waitsForCaller: () => !request.readableEnded || response.headersSent,
      refuse: () => breakOff(request),
    });
    if (!isWithinBounds(request.rawHeaders)) {
      refuse(response, 431, 'The headers are larger than those of any call.');
      return;
    }
    answerCall(passage, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'A call could not be passed on.');
      breakOff(request);
    });
  };
}

function urlOf({ host, port, tls_cert_file }: WebProxyConfig['grpc']): string {
  return `${tls_cert_file === null ? 'http' : 'https'}://${dialled(host, port).address}`;
}

/** HTTP/2 needs TLS: no browser speaks it without. */
function openServer(
  certificates: CertificateFiles | null,
  listener: (request: Request, response: Response) => void,
): Server {
  if (certificates === null) {
    const settings = { keepAlive: true, noDelay: true, keepAliveTimeout: 60_000 };
    return createPlain({ ...settings, connectionsCheckingInterval: 5_000 }, listener);
  }
  const settings = { maxConcurrentStreams: CALLS_PER_CONNECTION };
  const server = createSecureServer({ allowHTTP1: true, settings, ...certificates.pair }, listener);
  judgeMetadataFirst(server);
  certificates.renewAt(server);
  return server;
}
