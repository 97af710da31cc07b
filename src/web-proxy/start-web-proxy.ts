import { createServer as createPlain } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CertificateFiles } from '../base/certificate-files.js';
import { dialled } from '../base/dial-service.js';
import { isWithinBounds, judgeMetadataFirst } from '../base/judge-metadata.js';
import { AddressSet } from '../base/known-proxies.js';
import type { Logger } from '../base/logger.js';
import { OpenCalls } from '../base/open-calls.js';
import { formatAddress, portError } from '../base/port-error.js';
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
import { ServiceConnections } from './service-connections.js';

interface Settings extends WebProxyConfig {
  log: Logger;
  /** How long a connection may take until its first call, and a call until it has arrived completely. */
  patienceMs?: number;
}

export interface WebProxy {
  port: number;
  /** Takes no new connections; calls under way have `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/**
 * The same numbers as at the gRPC port. An app has two or three calls at once; `others` leaves room for Cancel and
 * Status.
 */
const callsPerConnection = 200;
const others = 100;

/** Offers gRPC-Web to browsers, in front of the gRPC port. The proxy holds no key of a Pod and reads no message. */
export async function startWebProxy(settings: Settings): Promise<WebProxy> {
  const { web_proxy, grpc, log, patienceMs = 10_000 } = settings;
  const { host, port, origins } = web_proxy;
  const url = web_proxy.service ?? urlOf(grpc);
  const service = new ServiceConnections(url, grpc.tls_cert_file);
  const proxies = new AddressSet(grpc.trusted_proxies);
  const failures = new RareWarning<{ err: Error }>((failure) =>
    log.warn(failure, 'The service gave no answer.'),
  );
  const onFailure = (err: Error) => failures.note({ err });
  const passage = { origins, proxies, service, bodyMs: patienceMs, onFailure };
  const limits = { atOnce: grpc.max_queued + others, ofOneAddress: grpc.max_connections_per_peer };
  const calls = new OpenCalls({ ...limits, proxies, firstCallMs: patienceMs });

  const certificates = await loadCertificates(settings);
  const server = openServer(certificates, createListener(calls, passage, log));
  server.on('connection', (socket) => calls.connected(socket));
  await new Promise<void>((resolve, reject) => {
    // `on`, not `once`: later errors must not end the process.
    server.on('error', (cause) => reject(portError('web_proxy', { host, port }, cause)));
    server.listen({ host, port }, resolve);
  }).catch((error: unknown) => {
    certificates?.close();
    throw error;
  });
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
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
      service.close();
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

/** HTTP/2 needs TLS: no browser speaks it without. */
function openServer(
  certificates: CertificateFiles | null,
  listener: (request: Request, response: Response) => void,
): Server {
  if (certificates === null) {
    const settings = { keepAlive: true, noDelay: true, keepAliveTimeout: 60_000 };
    return createPlain({ ...settings, connectionsCheckingInterval: 5_000 }, listener);
  }
  const settings = { maxConcurrentStreams: callsPerConnection };
  const server = createSecureServer({ allowHTTP1: true, settings }, listener);
  judgeMetadataFirst(server);
  certificates.addIdentityCertificateListener((identity) => {
    if (identity === null) return;
    server.setSecureContext({ cert: identity.certificate, key: identity.privateKey });
  });
  return server;
}

async function loadCertificates({ web_proxy, log }: Settings): Promise<CertificateFiles | null> {
  const { tls_cert_file: cert, tls_key_file: key } = web_proxy;
  // The configuration has both or neither.
  if (cert === null || key === null) return null;
  const files = { section: 'web_proxy', cert, key } as const;
  return await CertificateFiles.load(files, { log, now: () => new Date() }, 10_000);
}

function urlOf({ host, port, tls_cert_file }: WebProxyConfig['grpc']): string {
  return `${tls_cert_file === null ? 'http' : 'https'}://${dialled(host, port).address}`;
}
