import { once } from 'node:events';
import {
  Agent,
  createServer,
  request as forwardRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { findFreePort } from '../../src/embedded-server/embedded-server.js';
import { atEnd } from './at-end.js';
import type { CompiledServer } from './compiled-server.js';
import { type SolidServerSettings, startConfiguredServer } from './configured-server.js';
import { listen } from './listen.js';

/**
 * Stands in front of a real Solid server, writes down what is asked, and produces on request
 * the faults that a healthy server does not.
 */
export interface FaultProxy {
  /** The address the server is known by; ends in a slash. */
  readonly baseUrl: string;
  /** Everything that was asked since the start or the last `forget`, in order of arrival. */
  readonly requests: readonly ProxiedRequest[];
  /** The first rule that matches a request and is not used up decides about it. */
  inject(rule: FaultRule): InjectedFault;
  forget(): void;
  /** Takes all faults back and lets go of what hangs. */
  heal(): void;
  close(): Promise<void>;
}

export interface ProxiedRequest {
  method: string;
  /** Absolute, as the client sees it. */
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** undefined until the answer is out, or when there was none. */
  status?: number;
  /** The client went away, or `heal` came, before there was an answer. */
  isBroken?: boolean;
}

export interface FaultRule {
  when: (request: ProxiedRequest) => boolean;
  /** Matching requests that pass unharmed first. */
  skip?: number;
  /** Matching requests that are hit; default: all. */
  times?: number;
  fault: Fault;
}

export type Fault =
  /** The connection breaks before anything reaches the server. */
  | { kind: 'reset' }
  /** No answer; ends with `heal`, the client or the proxy. */
  | { kind: 'hang' }
  /** An answer without the server; with a status of success it is that of a lost write. */
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string | Buffer }
  /** The server's answer breaks off after so many bytes. */
  | { kind: 'truncate'; bytes: number }
  /** The server's answer with other headers, or without those that are undefined. */
  | { kind: 'headers'; values: Record<string, string | undefined> }
  /** The server's answer, a few bytes at a time. */
  | { kind: 'trickle'; bytes: number; everyMs: number }
  /** The server is asked when the test lets it. */
  | { kind: 'hold'; until: Promise<void> }
  /** The server's answer, later. */
  | { kind: 'delay'; ms: number }
  /** The server does as asked, the client hears of failure. */
  | { kind: 'fail-after'; status: number }
  /** The server does as asked, the client sees the connection break. */
  | { kind: 'reset-after' };

export interface InjectedFault {
  /** Resolves when the fault has hit a request (the nth one, from 1). */
  hit(nth?: number): Promise<ProxiedRequest>;
  readonly hits: number;
  remove(): void;
}

export interface ProxiedServer {
  baseUrl: string;
  proxy: FaultProxy;
  server: CompiledServer;
  stop(): Promise<void>;
}

/** A server of the test's own behind a proxy of its own; it forgets its accounts when it is paused. */
export async function startProxiedServer(
  settings: SolidServerSettings = {},
  tried = 1,
): Promise<ProxiedServer> {
  const port = await findFreePort();
  const proxy = await startFaultProxy(port);
  let server: CompiledServer;
  try {
    server = await startConfiguredServer({ ...settings, port, baseUrl: proxy.baseUrl });
  } catch (error) {
    await proxy.close();
    // Another process can take a free port before the server opens it.
    if (tried === 3) throw error;
    return await startProxiedServer(settings, tried + 1);
  }
  return {
    baseUrl: proxy.baseUrl,
    proxy,
    server,
    stop: atEnd(async () => {
      await proxy.close();
      await server.stop();
    }),
  };
}

interface ActiveRule {
  rule: FaultRule;
  seen: number;
  hitRequests: ProxiedRequest[];
  waiting: { nth: number; resolve: (request: ProxiedRequest) => void }[];
}

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const rules = new Set<ActiveRule>();
  const hanging = new Set<ServerResponse>();
  let requests: ProxiedRequest[] = [];
  let baseUrl = '';

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.keepAliveTimeout = 5_000;
  baseUrl = `http://localhost:${await listen(server)}/`;

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const seen: ProxiedRequest = {
      method: incoming.method ?? 'GET',
      url: new URL(incoming.url ?? '/', baseUrl).href,
      headers: incoming.headers,
      body: await buffer(incoming),
    };
    const fault = isFromServerItself(seen) ? undefined : record(seen);
    outgoing.once('finish', () => {
      seen.status = outgoing.statusCode;
    });
    outgoing.once('close', () => {
      seen.isBroken = !outgoing.writableFinished;
    });
    if (fault === undefined) relay(await forward(incoming, seen), outgoing);
    else await harm(fault, incoming, seen, outgoing);
  }

  function record(request: ProxiedRequest): Fault | undefined {
    requests.push(request);
    return chooseFault(request);
  }

  function chooseFault(request: ProxiedRequest): Fault | undefined {
    for (const active of rules) {
      const { rule, hitRequests } = active;
      if (hitRequests.length >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      if (!rule.when(request)) continue;
      active.seen += 1;
      if (active.seen <= (rule.skip ?? 0)) continue;
      hitRequests.push(request);
      for (const { nth, resolve } of active.waiting)
        if (nth === hitRequests.length) resolve(request);
      return rule.fault;
    }
    return undefined;
  }

  async function harm(
    fault: Fault,
    incoming: IncomingMessage,
    seen: ProxiedRequest,
    outgoing: ServerResponse,
  ): Promise<void> {
    switch (fault.kind) {
      case 'reset':
        incoming.socket.resetAndDestroy();
        return;
      case 'hang':
        hanging.add(outgoing);
        return;
      case 'answer':
        outgoing.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '');
        return;
      case 'hold':
        await fault.until;
        relay(await forward(incoming, seen), outgoing);
        return;
      case 'fail-after':
        await forward(incoming, seen);
        outgoing.writeHead(fault.status).end();
        return;
      case 'reset-after':
        await forward(incoming, seen);
        incoming.socket.resetAndDestroy();
        return;
      case 'headers': {
        const answer = await forward(incoming, seen);
        relay({ ...answer, headers: { ...answer.headers, ...fault.values } }, outgoing);
        return;
      }
      case 'delay': {
        const answer = await forward(incoming, seen);
        setTimeout(() => relay(answer, outgoing), fault.ms);
        return;
      }
      case 'truncate': {
        const { status, headers, body } = await forward(incoming, seen);
        outgoing.writeHead(status, { ...headers, 'content-length': String(body.length) });
        outgoing.write(body.subarray(0, fault.bytes), () => outgoing.destroy());
        return;
      }
      case 'trickle': {
        const { status, headers, body } = await forward(incoming, seen);
        outgoing.writeHead(status, headers);
        trickle(outgoing, body, fault);
        return;
      }
    }
  }

  function forward(incoming: IncomingMessage, { body }: ProxiedRequest): Promise<RealAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = forwardRequest(
        {
          agent,
          host: '127.0.0.1',
          port: targetPort,
          method: incoming.method,
          path: incoming.url,
          headers: incoming.headers,
        },
        (answer) => {
          buffer(answer).then(
            (content) =>
              resolve({
                status: answer.statusCode ?? 502,
                headers: withoutTransferEncoding(answer.headers),
                body: content,
              }),
            reject,
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }

  return {
    baseUrl,
    get requests() {
      return requests;
    },
    inject(rule) {
      const active: ActiveRule = { rule, seen: 0, hitRequests: [], waiting: [] };
      rules.add(active);
      return {
        get hits() {
          return active.hitRequests.length;
        },
        hit(nth = 1) {
          const past = active.hitRequests[nth - 1];
          if (past !== undefined) return Promise.resolve(past);
          return new Promise((resolve) => active.waiting.push({ nth, resolve }));
        },
        remove: () => void rules.delete(active),
      };
    },
    forget() {
      requests = [];
    },
    heal() {
      rules.clear();
      for (const outgoing of hanging) outgoing.destroy();
      hanging.clear();
    },
    close: atEnd(async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      agent.destroy();
      await closed;
    }),
  };
}

/** To check a token, the server fetches its own keys and the WebID's profile. */
function isFromServerItself({ headers }: ProxiedRequest): boolean {
  return /^(node-fetch|jose)\//.test(headers['user-agent'] ?? '');
}

interface RealAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function relay({ status, headers, body }: RealAnswer, outgoing: ServerResponse): void {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  outgoing.writeHead(status, Object.fromEntries(given)).end(body);
}

function withoutTransferEncoding(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const { 'transfer-encoding': _encoding, connection: _connection, ...rest } = headers;
  return rest;
}

function trickle(
  outgoing: ServerResponse,
  body: Buffer,
  pace: { bytes: number; everyMs: number },
): void {
  let sent = 0;
  const timer = setInterval(() => {
    outgoing.write(body.subarray(sent, sent + pace.bytes));
    sent += pace.bytes;
    if (sent >= body.length) outgoing.end();
  }, pace.everyMs);
  outgoing.once('close', () => clearInterval(timer));
}
