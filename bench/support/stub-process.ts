/**
 * A Pod server that does nothing but answer: what an analysis costs against it is our own
 * cost. It believes every token, keeps what is written, and counts.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { applyUpdate } from './apply-update.js';
import { answerParent } from './child.js';
import { buildPodWorld } from './pod-world.js';

const documents = new Map<string, Buffer>();
const counts = { requests: new Map<string, number>(), paths: new Map<string, number>() };
let versions = 0;
let delayMs = 0;

const usualHeaders = { 'wac-allow': 'user="read"', 'content-type': 'text/turtle' };

const server = createServer((request, response) => {
  const start = (): void => {
    answer(request, response).catch(() => response.destroy());
  };
  if (delayMs === 0) start();
  else setTimeout(start, delayMs);
});
server.keepAliveTimeout = 5_000;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = decodeURIComponent(request.url ?? '/');
  const method = request.method ?? 'GET';
  counts.requests.set(method, (counts.requests.get(method) ?? 0) + 1);
  counts.paths.set(path, (counts.paths.get(path) ?? 0) + 1);
  if (method === 'HEAD') {
    response.writeHead(200, { ...usualHeaders, link: linkOf(path) }).end();
    return;
  }
  if (method === 'GET') {
    answerGet(path, response);
    return;
  }
  const body = await text(request);
  if (path === '/token') {
    sendJson(response, { access_token: 'believed', token_type: 'DPoP', expires_in: 86_400 });
    return;
  }
  const isNew = !documents.has(path);
  const before = documents.get(path)?.toString() ?? '';
  documents.set(path, Buffer.from(method === 'PATCH' ? applyUpdate(before, body) : body));
  versions += 1;
  response.writeHead(isNew ? 201 : 205, usualHeaders).end();
}

function answerGet(path: string, response: ServerResponse): void {
  const document = documents.get(path);
  if (document !== undefined) {
    const headers = { ...usualHeaders, etag: `"${versions}-text/turtle"`, link: linkOf(path) };
    response.writeHead(200, { ...headers, 'content-length': document.length }).end(document);
  } else if (path === '/.well-known/openid-configuration') {
    sendJson(response, { token_endpoint: `${baseUrl()}token` });
  } else {
    response.writeHead(404, usualHeaders).end();
  }
}

function linkOf(path: string): string {
  return `<${baseUrl()}${path.slice(1)}.acl>; rel="acl", <${baseUrl()}${path.slice(1)}.meta>; rel="describedby", <http://www.w3.org/ns/ldp#Resource>; rel="type"`;
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function baseUrl(): string {
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return `http://localhost:${port}/`;
}

const size = z.object({
  pods: z.number(),
  readingsPerPod: z.number(),
  otherShares: z.number().optional(),
  hugeFileBytes: z.number().optional(),
  delayMs: z.number(),
});

answerParent({
  async start(question) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const wanted = size.parse(question);
    const { documents: given, ...world } = await buildPodWorld(baseUrl(), wanted);
    for (const [url, turtle] of given) documents.set(new URL(url).pathname, Buffer.from(turtle));
    delayMs = wanted.delayMs;
    return world;
  },
  /** What was asked since the last time. */
  count() {
    const readings = [...counts.paths].filter(([path]) => path.includes('/data/blood_pressure/'));
    const counted = {
      requests: Object.fromEntries(counts.requests),
      files: readings.length,
      fileRequests: readings.reduce((sum, [, times]) => sum + times, 0),
    };
    counts.requests.clear();
    counts.paths.clear();
    return Promise.resolve(counted);
  },
});
