import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { type AddressSet, callerAddress } from '../base/known-proxies.js';
import { askService, type Service, unavailable } from './ask-service.js';
import { corsHeaders, passedOn, preflightHeaders } from './cors.js';
import { contentType, isGrpcWeb, trailerFrame } from './wire.js';

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

/** The same limit as at the gRPC port. */
const mostBytes = 256 * 1024;

/** Passes one call on to the service, or answers why it is refused. */
export async function answerCall(
  passage: Passage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '', headers } = request;
  const { origin } = headers;
  // Tools outside of browsers name no origin: only the token of the service keeps them out.
  if (origin !== undefined && !passage.origins.includes(origin)) {
    refuse(response, 403, 'Pages of this origin may not call: web_proxy.origins does not list it.');
    return;
  }
  const cors = corsHeaders(origin);
  if (!paths.includes(url)) {
    refuse(response, 404, 'There is nothing at this path but the three calls.', cors);
  } else if (method === 'OPTIONS') {
    response.writeHead(204, { ...cors, ...preflightHeaders });
    response.end('');
  } else if (method !== 'POST') {
    refuse(response, 405, 'Calls are made with POST.', { ...cors, allow: 'POST, OPTIONS' });
  } else {
    await passOn(passage, request, response, cors);
  }
}

async function passOn(
  { proxies, service, onFailure }: Passage,
  request: IncomingMessage,
  response: ServerResponse,
  cors: Record<string, string>,
): Promise<void> {
  const { headers, socket, url: path = '' } = request;
  if (!isGrpcWeb(headers['content-type'])) {
    refuse(response, 415, `This takes gRPC-Web in its binary form: ${contentType}.`, cors);
    return;
  }
  const gone = new AbortController();
  const isGone = () => gone.signal.aborted;
  response.once('close', () => gone.abort());
  const frames = await readBody(request);
  if (isGone()) return;
  if (frames === null) {
    response.once('finish', () => socket.destroy());
    refuse(response, 413, 'The request is larger than any call.', cors);
    return;
  }
  const address = callerAddress(
    proxies,
    socket.remoteAddress ?? '',
    headers['x-forwarded-for']?.toString(),
  );
  const passed = { ...pick(headers), 'x-forwarded-for': address };
  const call = { path, headers: passed, frames };
  const reply = await askService(service, call, gone.signal).catch(unavailable);
  if (isGone()) return;
  if (reply.failure !== undefined) onFailure(reply.failure);
  const answer = Buffer.concat([reply.frames, trailerFrame(reply.outcome)]);
  response.writeHead(200, {
    ...cors,
    'content-type': contentType,
    'content-length': answer.length,
    'cache-control': 'no-store',
  });
  response.end(answer);
}

function pick(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const given = passedOn.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, headers[name]]));
}

/** Returns null when the body is too large or the caller has gone. */
function readBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      else resolve(null);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => undefined);
    request.once('close', () => resolve(null));
  });
}

function refuse(
  response: ServerResponse,
  status: number,
  sentence: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'text/plain' });
  response.end(`${sentence}\n`);
}
