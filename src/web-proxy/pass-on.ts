import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type AddressSet, callerAddress } from '../ports/caller-address.js';
import { askService, contentType, type Service, trailerFrame, unavailable } from './ask-service.js';

export interface Passage {
  origins: readonly string[];
  proxies: AddressSet;
  service: Service;
  onFailure: (failure: Error) => void;
}

/** The three calls of the contract; health and services that are added later do not get through. */
const paths = ['Analyse', 'Cancel', 'Status'].map(
  (call) => `/healthpod.analyser.v1.Analyser/${call}`,
);

/** The headers of a call that go on to the service; the last two are the proof of a WebID. */
const passedOn = ['authorization', 'grpc-timeout', 'x-solid-authorization', 'x-solid-dpop'];

export async function answerCalls(server: FastifyInstance, passage: Passage): Promise<void> {
  const { origins } = passage;
  server.addHook('onRequest', async ({ headers: { origin }, method, url }, reply) => {
    // Tools outside of browsers name no origin: only the token of the service keeps them out.
    if (origin !== undefined && !origins.includes(origin)) {
      await refuse(
        reply,
        403,
        'Pages of this origin may not call: web_proxy.origins does not list it.',
      );
    } else if (!paths.includes(url)) {
      await refuse(reply, 404, 'There is nothing at this path but the three calls.');
    } else if (method !== 'POST' && method !== 'OPTIONS') {
      await refuse(reply.header('allow', 'POST, OPTIONS'), 405, 'Calls are made with POST.');
    }
  });
  await server.register(cors, {
    origin: [...origins],
    methods: ['POST'],
    allowedHeaders: ['content-type', 'x-grpc-web', 'x-user-agent', ...passedOn],
    exposedHeaders: ['grpc-status', 'grpc-message'],
    maxAge: 7200,
    strictPreflight: false,
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    ['application/grpc-web', contentType],
    { parseAs: 'buffer' },
    (_request, frames, done) => done(null, frames),
  );
  for (const url of paths) server.post(url, (request, reply) => passOn(passage, request, reply));
}

async function passOn(
  { proxies, service, onFailure }: Passage,
  { body, headers, socket, url: path }: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!Buffer.isBuffer(body)) {
    return refuse(reply, 415, `This takes gRPC-Web in its binary form: ${contentType}.`);
  }
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const forwardedFor = headers['x-forwarded-for']?.toString();
  const address = callerAddress(proxies, socket.remoteAddress ?? '', forwardedFor);
  const given = passedOn.filter((name) => headers[name] !== undefined);
  const passed = Object.fromEntries(given.map((name) => [name, headers[name]]));
  const call = { path, headers: { ...passed, 'x-forwarded-for': address }, frames: body };
  const answer = await askService(service, call, gone.signal).catch(unavailable);
  if (answer.failure !== undefined && !gone.signal.aborted) onFailure(answer.failure);
  return reply
    .headers({ 'content-type': contentType, 'cache-control': 'no-store' })
    .send(Buffer.concat([answer.frames, trailerFrame(answer.outcome)]));
}

export function refuse(reply: FastifyReply, status: number, sentence: string): FastifyReply {
  return reply.code(status).type('text/plain').send(`${sentence}\n`);
}
