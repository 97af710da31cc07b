/**
 * A Pod server that does nothing but answer: what an analysis costs against it is our own
 * cost. It believes every token, keeps what is written, and counts.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { applyUpdate } from './apply-update.js';
import { tellParent } from './child.js';
import { buildPodWorld } from './pod-world.js';
import { type Counted, stubSize } from './start-stub.js';

const { delayMs, ...size } = stubSize.parse(JSON.parse(process.argv[2] ?? ''));
const port = await findFreePort();
const baseUrl = `http://localhost:${port}/`;
const documents = new Map<string, Buffer>();
let counted = noneCounted();
let versions = 0;

const usualHeaders = { 'wac-allow': 'user="read"', 'content-type': 'text/turtle' };

const server = createServer((request, response) => {
  if (request.url === '/counted') {
    sendJson(response, counted);
    counted = noneCounted();
  } else {
    count(request, response).catch(() => response.destroy());
  }
});
server.keepAliveTimeout = 5_000;

function noneCounted(): Counted {
  return { requests: {}, files: [], roundTrips: 0 };
}

async function count(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  counted.requests[method] = (counted.requests[method] ?? 0) + 1;
  if (url.includes('/data/blood_pressure/')) counted.files.push(url);
  // Of requests that begin before the first of them is answered, one trip pays for all.
  const trip = counted.roundTrips + 1;
  if (delayMs > 0) await pause(delayMs);
  await answer(request, response);
  counted.roundTrips = Math.max(counted.roundTrips, trip);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = decodeURIComponent(request.url ?? '/');
  const method = request.method ?? 'GET';
  if (method === 'GET' || method === 'HEAD') {
    answerGet(path, response);
    return;
  }
  const body = await text(request);
  if (path === '/token') {
    sendJson(response, { access_token: 'believed', token_type: 'DPoP', expires_in: 86_400 });
    return;
  }
  const before = documents.get(path);
  const after = method === 'PATCH' ? applyUpdate(before?.toString() ?? '', body) : body;
  documents.set(path, Buffer.from(after));
  versions += 1;
  response.writeHead(before === undefined ? 201 : 205, usualHeaders).end();
}

function answerGet(path: string, response: ServerResponse): void {
  const document = documents.get(path);
  if (document !== undefined) {
    const headers = {
      ...usualHeaders,
      etag: `"${versions}-text/turtle"`,
      link: `<${path}.acl>; rel="acl"`,
    };
    response.writeHead(200, { ...headers, 'content-length': document.length }).end(document);
  } else if (path === '/.well-known/openid-configuration') {
    sendJson(response, { token_endpoint: `${baseUrl}token` });
  } else {
    response.writeHead(404, usualHeaders).end();
  }
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

await once(server.listen(port, '127.0.0.1'), 'listening');
const { documents: given, ...world } = await buildPodWorld(baseUrl, size);
for (const [url, turtle] of given) documents.set(new URL(url).pathname, Buffer.from(turtle));
tellParent(world);
