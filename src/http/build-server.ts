import compress from '@fastify/compress';
import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { ApiConfig, OutputConfig } from '../config/schema.js';
import { openChartStore } from '../store/chart-store.js';
import { openResultsStore } from '../store/results-store.js';
import { answerBrokenRequest } from './broken-requests.js';
import { setCommonHeaders } from './common-headers.js';
import { answerConditionally } from './conditional-requests.js';
import { serveDashboard } from './dashboard.js';
import { HttpProblem } from './http-problem.js';
import { describeApi } from './openapi.js';
import { refuseForeignHosts } from './own-hosts.js';
import { addLatestRoutes } from './routes-of-latest.js';
import { addRunRoutes } from './routes-of-runs.js';
import { addStateRoutes } from './routes-of-state.js';
import { serialiseOnce } from './serialise-once.js';

export interface HttpApiOptions {
  api: ApiConfig;
  output: OutputConfig;
  /** Where the built dashboard is, if it is. */
  webDir: string;
  log: Logger;
}

const methods = ['GET', 'HEAD', 'OPTIONS'];

export async function buildServer(options: HttpApiOptions): Promise<FastifyInstance> {
  const { api, output, webDir } = options;
  const log: FastifyBaseLogger = options.log;
  const server = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // Nothing here takes a body.
    bodyLimit: 1024,
    requestTimeout: 10_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 10_000,
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 16_384 },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (_error, _request, reply: FastifyReply) => {
      void reply.code(404).send({ detail: nothingHere });
    },
  });
  server.setValidatorCompiler(validatorCompiler);
  server.setSerializerCompiler(serialiseOnce);
  server.setErrorHandler(answerError);
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ detail: nothingHere }));

  server.addHook('onRequest', setCommonHeaders);
  server.addHook('onRequest', refuseForeignHosts(api));
  await server.register(cors, {
    origin: api.cors_origins,
    methods,
    // The password is for a proxy in front.
    allowedHeaders: ['Accept', 'Authorization', 'If-None-Match', 'If-Modified-Since'],
    exposedHeaders: ['ETag'],
    maxAge: 600,
    strictPreflight: false,
    preflightContinue: true,
  });
  server.addHook('onRequest', refuseOtherMethods);
  // Before compression: the tag is that of the content.
  server.addHook('onSend', answerConditionally);
  server.addHook('onResponse', (request, reply, done) => {
    const { method, url } = request;
    const milliseconds = Math.round(reply.elapsedTime);
    request.log.debug({ method, url, status: reply.statusCode, milliseconds }, 'answered');
    done();
  });
  await server.register(compress, { encodings: ['br', 'gzip'] });

  const results = openResultsStore(output.results_dir);
  await describeApi(server);
  addStateRoutes(server, results, output.state_dir);
  addLatestRoutes(server, results, openChartStore(output));
  addRunRoutes(server, results);
  await serveDashboard(server, webDir);
  return server;
}

const nothingHere = 'There is nothing at this path; /docs describes those that exist.';

async function refuseOtherMethods(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.method === 'OPTIONS') {
    await reply.header('allow', methods.join(', ')).code(204).send();
  } else if (!methods.includes(request.method)) {
    const detail = 'This API only reads: GET and HEAD. Analyses are started and cancelled by gRPC.';
    await reply.header('allow', methods.join(', ')).code(405).send({ detail });
  }
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof HttpProblem) {
    if (error.details !== null) request.log.error(error.details, error.message);
    return reply.code(error.status).send({ detail: error.message });
  }
  // A library refuses to look up some paths, such as one that leaves its folder: they are not there.
  if (isRefusal(error)) return reply.code(404).send({ detail: nothingHere });
  // Paths and reasons are for the operator, not for whoever asks.
  request.log.error({ err: error, url: request.url }, messageOf(error));
  return reply.code(500).send({ detail: 'This could not be answered; the log says why.' });
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('statusCode' in error)) return false;
  const { statusCode } = error;
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500;
}
