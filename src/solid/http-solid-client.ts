import { AnalyserError, ServerError, type ServerFailure } from '../base/errors.js';
import { hostsBelow, originSet } from '../base/origin-set.js';
import { type AllowedOrigins, allowOrigins } from './allowed-address.js';
import { createAuthorisedSender, originOf } from './login/authorised-sender.js';
import { createDpopKey, createDpopProof } from './login/dpop-proof.js';
import { type ClientCredentials, logIn } from './login/login.js';
import { createSession } from './login/session.js';
import {
  BUSY_AT_HOME,
  BUSY_ELSEWHERE,
  type BusyRules,
  KnownServer,
} from './requests/known-server.js';
import type { RequestBounds } from './requests/request-limit.js';
import {
  RETRY_AT_HOME,
  RETRY_ELSEWHERE,
  type RetryPolicy,
  rejectUnavailable,
  retry,
} from './requests/retry.js';
import {
  createTransport,
  type Exchange,
  type Transport,
  type TransportTimeouts,
} from './requests/transport.js';
import type { HttpSolidClient, SolidAnswer, SolidMethod, SolidRequest } from './solid-client.js';

/**
 * The client over HTTP. A request passes, in this order: the check of its address, the KnownServer
 * (retries, limit of requests in flight), redirects, the token with its proof, the transport.
 */
export interface SolidClientOptions {
  serverUrl: string;
  /** Origins, besides the server's own, to which requests with the token may go. */
  allowedOrigins?: string[];
  /** Null for requests without a login. */
  credentials: ClientCredentials | null;
  timeouts?: Partial<TransportTimeouts>;
  retry?: Partial<RetryPolicy>;
  /** How many requests may be in flight at each server. */
  concurrency?: RequestBounds;
  busy?: Partial<BusyRules>;
  onRequest?: (event: RequestEvent) => void;
  now?: () => number;
}

type Prepared = Exchange & { signal: AbortSignal };

/** The outcome of one exchange, for metrics; it holds no address. */
export interface RequestEvent {
  method: SolidMethod;
  outcome: { status: number } | { failure: ServerFailure | 'aborted' };
  milliseconds: number;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_CONCURRENCY: RequestBounds = { start: 8, max: 32 };
const MOST_REDIRECTS = 5;
const REPEATABLE: ReadonlySet<SolidMethod> = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

export function createSolidClient(options: SolidClientOptions): HttpSolidClient {
  const { credentials, now = Date.now } = options;
  const serverUrl = options.serverUrl.replace(/\/*$/, '/');
  const allowed = allowOrigins([serverUrl, ...(options.allowedOrigins ?? [])]);
  const concurrency = options.concurrency ?? DEFAULT_CONCURRENCY;
  const retriesBy = (policy: RetryPolicy) => ({
    policy: { ...policy, ...options.retry },
    random: Math.random,
    now,
  });
  const transport = createTransport({ timeouts: options.timeouts });
  const send = options.onRequest
    ? observeRequests(transport.send, options.onRequest)
    : transport.send;
  const closing = new AbortController();
  const key = createDpopKey();
  const session =
    credentials &&
    createSession(() => {
      const context = { serverUrl, credentials, key, send, now };
      const attempt = () => logIn(context, closing.signal);
      return retry(attempt, retriesBy(RETRY_AT_HOME), closing.signal);
    }, now);
  const sendAuthorised = session ? createAuthorisedSender({ send, session, key, now }) : send;

  const home = originOf(serverUrl);
  const below = hostsBelow(serverUrl);
  const isWhole = below !== null && (options.allowedOrigins ?? []).includes(below);
  const servers = new Map<string, KnownServer>();
  function knownServer(origin: string): KnownServer {
    const known = servers.get(origin);
    if (known !== undefined) return known;
    const isHome = origin === home;
    const server = new KnownServer({
      bounds: concurrency,
      retries: retriesBy(isHome ? RETRY_AT_HOME : RETRY_ELSEWHERE),
      busy: { ...(isHome ? BUSY_AT_HOME : BUSY_ELSEWHERE), ...options.busy },
    });
    servers.set(origin, server);
    return server;
  }

  return {
    async request(url, wanted = {}) {
      const address = allowed.check(url);
      const origin = originOf(address);
      const { signal = closing.signal, tries, onPlace } = wanted;
      const prepared = prepare(address, wanted, signal);
      prepared.isElsewhere = origin !== home;
      const isRepeatable = wanted.idempotent ?? REPEATABLE.has(prepared.method);
      const send = () => {
        closing.signal.throwIfAborted();
        return followRedirects(prepared, sendAuthorised, allowed);
      };
      const rules = { signal, isRepeatable, tries, onPlace };
      return await knownServer(origin).request(send, rules);
    },
    home: originSet(isWhole ? [home, below] : [home]),
    async login(signal = closing.signal) {
      await session?.token(signal);
    },
    async proveWebId(url, signal = closing.signal) {
      if (session === null) throw new AnalyserError('call', 'Without a login there is no proof.');
      const token = await session.token(signal);
      const issuedAt = Math.floor(now() / 1000);
      const claims = { method: 'POST', url, issuedAt, accessToken: token.value };
      return { authorization: `DPoP ${token.value}`, dpop: createDpopProof(key, claims) };
    },
    async close() {
      const reason = new AnalyserError(
        'cancelled',
        `The connection to ${serverUrl} was closed while it was in use; try again.`,
      );
      closing.abort(reason);
      await transport.close(reason);
    },
  };
}

function observeRequests(
  send: Transport['send'],
  onRequest: (event: RequestEvent) => void,
): Transport['send'] {
  return async (exchange) => {
    const { method } = exchange;
    const startedAt = performance.now();
    const report = (outcome: RequestEvent['outcome']): void =>
      onRequest({ method, outcome, milliseconds: performance.now() - startedAt });
    try {
      const answer = await send(exchange);
      report({ status: answer.status });
      return answer;
    } catch (error) {
      report({ failure: error instanceof ServerError ? error.failure : 'aborted' });
      throw error;
    }
  };
}

/**
 * Follows redirects only within one server, even if other servers are allowed. Otherwise a server could pass off
 * another server's file, shared with the Analyser alone, as its own.
 */
async function followRedirects(
  request: Prepared,
  send: (request: Prepared) => Promise<SolidAnswer>,
  allowed: AllowedOrigins,
): Promise<SolidAnswer> {
  let { url } = request;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const answer = rejectUnavailable(await send({ ...request, url }));
    const location = redirectTarget(answer, request.method);
    if (location === undefined) return answer;
    const target = allowed.check(location);
    if (originOf(target) !== originOf(url)) {
      const message = `${url} redirects to another server; no request is made to ${target}.`;
      throw new ServerError('forbidden-address', message, { url: target });
    }
    url = target;
  }
  const message = `${request.url} redirects more than ${MOST_REDIRECTS} times.`;
  throw new ServerError('refused', message, { url: request.url });
}

function prepare(url: string, wanted: SolidRequest, signal: AbortSignal): Prepared {
  const method = wanted.method ?? 'GET';
  // The server marks answers cacheable for long, so proxies have to be told to revalidate.
  const isRead = method === 'GET' || method === 'HEAD';
  const headers: Record<string, string> = isRead ? { 'cache-control': 'no-cache' } : {};
  for (const [name, value] of Object.entries(wanted.headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  const maxBytes = wanted.maxBytes ?? DEFAULT_MAX_BYTES;
  return { method, url, headers, body: wanted.body, signal, maxBytes };
}

/** Only 307 and 308 keep the method; other redirects are followed for reads only. */
function redirectTarget(
  { status, headers, url }: SolidAnswer,
  method: SolidMethod,
): string | undefined {
  const location = headers['location'];
  if (location === undefined) return undefined;
  const isRead = method === 'GET' || method === 'HEAD';
  const follows = isRead ? [301, 302, 303, 307, 308] : [307, 308];
  if (!follows.includes(status)) return undefined;
  return URL.canParse(location, url) ? new URL(location, url).href : location;
}
