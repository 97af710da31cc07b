import { AnalyserError, isUnanswered, ServerError, type ServerFailure } from '../base/errors.js';
import { getOrAdd } from '../base/lists.js';
import { hostsBelow, originSet } from '../base/origin-set.js';
import { type AllowedAddress, allowOrigins } from './allowed-address.js';
import { createAuthorisedSender, originOf } from './login/authorised-sender.js';
import { createDpopKey, createDpopProof } from './login/dpop-proof.js';
import { type ClientCredentials, createSession, logIn } from './login/login.js';
import { Patience } from './requests/patience.js';
import {
  type RequestPolicy,
  rejectUnavailable,
  Server,
  UnavailableError,
  usualPolicy,
} from './requests/server.js';
import {
  createTransport,
  type Exchange,
  type Transport,
  type TransportTimeouts,
} from './requests/transport.js';
import type { HttpSolidClient, SolidAnswer, SolidMethod, SolidRequest } from './solid-client.js';

export interface SolidClientOptions {
  serverUrl: string;
  /** Origins, besides the server's own, to which requests with the token may go. */
  allowedOrigins?: string[];
  credentials: ClientCredentials | null;
  timeouts?: Partial<TransportTimeouts>;
  policy?: Partial<RequestPolicy>;
  onRequest?: (event: RequestEvent) => void;
  now?: () => number;
  transport?: Transport;
}

type Prepared = Exchange & { signal: AbortSignal };

/** The outcome of one exchange, for metrics; it holds no address. */
export interface RequestEvent {
  method: SolidMethod;
  outcome: { status: number } | { failure: ServerFailure | 'aborted' };
  milliseconds: number;
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * The client over HTTP. A request passes, in this order: the check of its address, the Server (a place among the
 * requests in flight, retries), the token with its proof, the transport. Redirects are not followed: a server could pass
 * off a file that was shared with the Analyser alone as its own.
 */
export function createSolidClient(options: SolidClientOptions): HttpSolidClient {
  const { credentials, now = Date.now } = options;
  const serverUrl = options.serverUrl.replace(/\/*$/, '/');
  const allowed = allowOrigins([serverUrl, ...(options.allowedOrigins ?? [])]);
  const policy = { ...usualPolicy, ...options.policy };
  const transport = options.transport ?? createTransport({ timeouts: options.timeouts });
  const send = options.onRequest
    ? observeRequests(transport.send, options.onRequest)
    : transport.send;
  const closing = new AbortController();

  const serverOrigin = originOf(serverUrl);
  const below = hostsBelow(serverUrl);
  const isWhole = below !== null && (options.allowedOrigins ?? []).includes(below);
  const ownOrigins = originSet(isWhole ? [serverOrigin, below] : [serverOrigin]);

  const key = createDpopKey();
  const session =
    credentials &&
    createSession(() => {
      const context = { serverUrl, credentials, key, send, now };
      const { signal } = closing;
      // Not among the requests to the server: those that have a place wait for this login.
      return new Server(policy).request(() => logIn(context, signal), { signal });
    }, now);
  const sendAuthorised = session
    ? createAuthorisedSender({ send, session, key, ownOrigins, now })
    : send;

  const servers = new Map<string, Server>();
  /** The hosts of the storage server are one server, whose pauses hold nothing back that is asked apart. */
  function serverAt(origin: string, { isApart }: SolidRequest): Server {
    const isOwn = ownOrigins.has(origin);
    if (isOwn && isApart) return new Server(policy);
    return getOrAdd(servers, isOwn ? serverOrigin : origin, () => new Server(policy));
  }

  return {
    async request(url, wanted = {}) {
      const address = allowed(url);
      const { signal = closing.signal, patienceMs } = wanted;
      const prepared = prepare(address, wanted, signal);
      const exchange = async (request: Prepared) => {
        closing.signal.throwIfAborted();
        return rejectUnavailable(await sendAuthorised(request));
      };
      const attempt = (until: AbortSignal) => {
        const bounded = { ...prepared, signal: until };
        return prepared.method === 'PUT' ? putAndLook(bounded, exchange) : exchange(bounded);
      };
      return await serverAt(originOf(address), wanted).request(attempt, {
        ...wanted,
        signal,
        patience: patienceMs === undefined ? undefined : new Patience(address, patienceMs),
        isRepeatable: isRepeatable(prepared),
      });
    },
    ownOrigins,
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

/** A PATCH of ours adds and removes fixed statements. A write with a condition would fail by its own first try. */
function isRepeatable({ method, headers }: Prepared): boolean {
  return method !== 'POST' && !('if-match' in headers) && !('if-none-match' in headers);
}

/** Silence does not tell whether the document was written, so we look once; what is found is the answer. */
async function putAndLook(
  put: Prepared,
  exchange: (request: Prepared) => Promise<SolidAnswer>,
): Promise<SolidAnswer> {
  try {
    return await exchange(put);
  } catch (error) {
    const isBusy = error instanceof UnavailableError && error.isBusy;
    if (!isUnanswered(error) || isBusy) throw error;
    const written = Buffer.from(put.body ?? '');
    const { url, signal } = put;
    const headers = { accept: '*/*', 'cache-control': 'no-cache' };
    const look: Prepared = { method: 'GET', url, headers, signal, maxBytes: written.length };
    const found = await exchange(look).catch(() => null);
    if (found?.status === 200 && found.body.equals(written)) return found;
    throw error;
  }
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

function prepare(url: AllowedAddress, wanted: SolidRequest, signal: AbortSignal): Prepared {
  const method = wanted.method ?? 'GET';
  const headers: Record<string, string> = {};
  if (method === 'GET' || method === 'HEAD') {
    // A document is asked for as it is stored, since the Community Solid Server hangs when it has to turn broken JSON-LD
    // into Turtle. A folder is stored in no form.
    headers['accept'] = url.endsWith('/') ? 'text/turtle' : '*/*';
    // The server marks answers cacheable for long, so proxies have to be told to revalidate.
    headers['cache-control'] = 'no-cache';
  }
  for (const [name, value] of Object.entries(wanted.headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  const maxBytes = wanted.maxBytes ?? DEFAULT_MAX_BYTES;
  return { method, url, headers, body: wanted.body, signal, maxBytes };
}
