import { type Agent, type Dispatcher, EnvHttpProxyAgent, errors, request } from 'undici';
import { AnalyserError, messageOf, ServerError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';
import type { AllowedAddress } from '../allowed-address.js';
import type { SolidAnswer, SolidMethod } from '../solid-client.js';

/** One exchange with a server, bounded in time and size; without retries, redirects or login. */
export interface Transport {
  send: (exchange: Exchange) => Promise<SolidAnswer>;
  close: (reason?: Error) => Promise<void>;
}

export interface Exchange {
  method: SolidMethod;
  url: AllowedAddress;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  maxBytes: number;
}

export interface TransportTimeouts {
  connectMs: number;
  /** From the request to the head of the answer. */
  answerMs: number;
  /** Longest pause within the body. */
  idleMs: number;
  /** The whole exchange, so that an answer that comes in a trickle of bytes is cut off. */
  totalMs: number;
}

const usualTimeouts: TransportTimeouts = {
  connectMs: 8_000,
  answerMs: 20_000,
  idleMs: 15_000,
  totalMs: 120_000,
};

/** Shorter than the five seconds after which the Community Solid Server closes idle connections. */
const KEEP_ALIVE_MS = 4_000;

export function createTransport(options: {
  timeouts?: Partial<TransportTimeouts> | undefined;
}): Transport {
  const timeouts = { ...usualTimeouts, ...options.timeouts };
  const agent = createAgent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connectMs: timeouts.connectMs,
  });
  return {
    send: (exchange) => send(agent, exchange, timeouts),
    close: (reason) => agent.destroy(reason ?? null),
  };
}

async function send(
  agent: Dispatcher,
  exchange: Exchange,
  timeouts: TransportTimeouts,
): Promise<SolidAnswer> {
  const { method, url, signal } = exchange;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const unfollow = signal && onAbort(signal, () => stop.abort(signal.reason));
  const clock = setTimeout(() => stop.abort(tooSlow(exchange)), timeouts.totalMs);
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      // Compressed, ciphertext is hardly smaller, the ETag is weak, and a hostile answer has no size.
      headers: { 'accept-encoding': 'identity', ...exchange.headers },
      body: exchange.body ?? null,
      signal: stop.signal,
      headersTimeout: timeouts.answerMs,
      bodyTimeout: timeouts.idleMs,
    });
    const body =
      answer.statusCode < 400
        ? await readBody(answer, exchange)
        : await readBody(answer, { ...exchange, maxBytes: MOST_OF_REFUSAL }, true);
    return { status: answer.statusCode, headers: flattenHeaders(answer.headers), body, url };
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error instanceof AnalyserError ? error : toServerError(error, exchange);
  } finally {
    clearTimeout(clock);
    unfollow?.();
  }
}

/** Of a refusal the reason is read, not a whole page. */
const MOST_OF_REFUSAL = 4096;

/** `isCut`: the beginning of a larger body is enough. */
async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  exchange: Exchange,
  isCut = false,
): Promise<Buffer> {
  // Without a listener, an unread body that breaks off would end the thread.
  body.on('error', () => undefined);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    body.destroy();
    const { url } = exchange;
    throw new ServerError('refused', `${url} answered in an encoding nobody asked for.`, { url });
  }
  const pieces: AsyncIterable<Buffer> = body;
  // In one place from the start: the pieces of a large document would leave holes in the memory of the process.
  const announced = Number(headers['content-length']) || 0;
  let room = Buffer.allocUnsafe(Math.min(announced, exchange.maxBytes));
  let size = 0;
  for await (const piece of pieces) {
    const end = size + piece.length;
    if (end > exchange.maxBytes) {
      if (!isCut) throw tooLarge(exchange);
      return Buffer.concat([room.subarray(0, size), piece]).subarray(0, exchange.maxBytes);
    }
    if (end > room.length) room = Buffer.concat([room.subarray(0, size)], 2 * end);
    piece.copy(room, size);
    size = end;
  }
  return room.subarray(0, size);
}

function tooLarge({ url, maxBytes }: Exchange): ServerError {
  const message = `${url} is larger than the ${maxBytes} bytes that are read of such a document.`;
  return new ServerError('too-large', message, { url });
}

function tooSlow({ method, url }: Exchange, cause?: unknown): ServerError {
  return new ServerError('slow', `${url} did not answer ${method} in time.`, { url, cause });
}

function toServerError(error: unknown, exchange: Exchange): ServerError {
  const { url } = exchange;
  const isSlow =
    error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
  if (isSlow) return tooSlow(exchange, error);
  const message = `${url} could not be reached: ${whyUnreachable(error)}.`;
  return new ServerError('unreachable', message, { url, cause: error });
}

function flattenHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

/** Through the proxies of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which undici reads itself. */
function createAgent(
  options: Omit<Agent.Options, 'connect'> & { connectMs: number },
): EnvHttpProxyAgent {
  const { connectMs, ...others } = options;
  const connect = { timeout: connectMs };
  try {
    // `requestTls` stays unset: with any setting, undici sends no server name through a proxy.
    return new EnvHttpProxyAgent({ ...others, connect, proxyTls: connect });
  } catch (cause) {
    const message =
      'HTTPS_PROXY and HTTP_PROXY must be addresses such as http://proxy.example.org:3128.';
    throw new AnalyserError('configuration', message, { cause });
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The part of the environment that undici reads; all else, such as secrets, is left out. */
export function proxyVariables(env: Environment): Environment {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'];
  const both = names.flatMap((name) => [name, name.toLowerCase()]);
  return Object.fromEntries(both.flatMap((name) => (name in env ? [[name, env[name]]] : [])));
}

/** The proxies that the environment names, without passwords; null when it names none. */
export function describeProxies(env: Environment): string | null {
  const valueOf = (name: string) => env[name.toLowerCase()] || env[name];
  const named = ['HTTPS_PROXY', 'HTTP_PROXY'].flatMap((name) => {
    const value = valueOf(name);
    return value === undefined ? [] : [`${name} ${hostOf(value)}`];
  });
  if (named.length === 0) return null;
  const exceptions = valueOf('NO_PROXY');
  return [...named, ...(exceptions === undefined ? [] : [`NO_PROXY ${exceptions}`])].join('; ');
}

function hostOf(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).host || 'no address' : 'no address';
}

/** Completes "could not be reached: …" with the words of Node.js for the innermost cause, never with a text of OpenSSL. */
function whyUnreachable(error: unknown): string {
  const reasons = causesOf(error).map(messageOf);
  if (reasons.some(isOfOpenSsl)) {
    return 'it does not speak TLS; its address may begin with http:// instead of https://';
  }
  return reasons.findLast((message) => message !== '') ?? 'no reason is known';
}

export function isOfOpenSsl(message: string): boolean {
  return message.includes(':SSL routines:');
}

function causesOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [error.cause];
  return [error, ...inner.flatMap(causesOf)];
}
