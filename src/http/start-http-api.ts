import cors from '@fastify/cors';
import etag from '@fastify/etag';
import helmet from '@fastify/helmet';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { OwnBuild } from '../base/build.js';
import { AnalyserError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { ApiConfig, OutputConfig } from '../config/schema.js';
import { portError } from '../ports/port-error.js';
import { openChartStore } from '../store/chart-store.js';
import { openResultsStore } from '../store/results-store.js';
import { addApi } from './api.js';
import { serveAssets } from './assets.js';
import { answerClientError, nothingHere } from './http-problem.js';
import { describeApi } from './openapi.js';
import { refuseForeignHosts } from './own-hosts.js';
import { addPages } from './pages.js';
import { securityHeaders } from './security-headers.js';

interface HttpApiOptions {
  api: ApiConfig;
  output: OutputConfig;
  build: OwnBuild;
  log: Logger;
}

export type HttpApi = Awaited<ReturnType<typeof startHttpApi>>;

export async function startHttpApi(options: HttpApiOptions) {
  const { enabled, host, port } = options.api;
  if (!enabled) {
    throw new AnalyserError(
      'configuration',
      'The HTTP API is switched off: set api.enabled to true in the configuration to serve it.',
    );
  }
  const server = await buildServer(options);
  const listenTextResolver = (at: string) =>
    `The HTTP API is at ${at}, its documentation at ${at}/docs.`;
  const address = await server
    .listen({ host, port, listenTextResolver })
    .catch(async (error: unknown) => {
      await server.close();
      throw portError('api', { host, port }, error);
    });
  return { address, stop: (): Promise<void> => server.close() };
}

const methods = ['GET', 'HEAD', 'OPTIONS'];

async function buildServer(options: HttpApiOptions): Promise<FastifyInstance> {
  const { api, output, build } = options;
  const log: FastifyBaseLogger = options.log;
  const server = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // No request needs a body.
    bodyLimit: 1024,
    requestTimeout: 10_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 10_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: true,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, _request, reply: FastifyReply) =>
      void reply.code(400).send({ detail: nothingHere }),
    routerOptions: { maxParamLength: 16_384 },
  });
  server.setValidatorCompiler(validatorCompiler);
  // Checks each answer by its schema, and leaves out what the schema does not name.
  server.setSerializerCompiler(serializerCompiler);

  await server.register(helmet, securityHeaders);
  server.addHook('onRequest', refuseForeignHosts(api));
  await server.register(cors, {
    origin: api.cors_origins,
    methods,
    // `Authorization` is for a proxy in front of the API that asks for a password.
    allowedHeaders: ['Accept', 'Authorization', 'If-None-Match'],
    exposedHeaders: ['ETag'],
    maxAge: 600,
    // Otherwise an OPTIONS that no browser sends is refused, in plain text and with a status of its own.
    strictPreflight: false,
  });
  server.addHook('onRequest', refuseOtherMethods);
  // Weak, because a proxy in front may compress the content.
  await server.register(etag, { weak: true });

  const files = { results: openResultsStore(output.results_dir), charts: openChartStore(output) };
  await describeApi(server);
  addApi(server, files, output.state_dir, build);
  addPages(server, files, output.state_dir);
  await serveAssets(server);
  return server;
}

async function refuseOtherMethods(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  // A client may store an answer, but asks whether it still holds before it shows the answer again.
  reply.header('cache-control', 'no-cache');
  if (methods.includes(request.method)) return;
  const detail = 'This API only reads: GET and HEAD. Analyses are started and cancelled by gRPC.';
  await reply.header('allow', methods.join(', ')).code(405).send({ detail });
}
