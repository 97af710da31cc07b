import { type Dispatcher, errors, request } from 'undici';
import { AnalyserError, ServerError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';
import type { AllowedAddress } from '../allowed-address.js';
import type { SolidAnswer, SolidMethod } from '../solid-client.js';
import { createAgent } from './proxies.js';
import { whyUnreachable } from './why-unreachable.js';

/** One exchange with a server, bounded in time and size; without retries, redirects or login. */
export interface Transport {
  send: (exchange: Exchange) => Promise<SolidAnswer>;
  /** Ends requests in flight with the error. */
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
    const body = await readBody(answer, exchange);
    return { status: answer.statusCode, headers: flattenHeaders(answer.headers), body, url };
  } catch (error) {
    stop.signal.throwIfAborted();
    throw error instanceof AnalyserError ? error : toServerError(error, exchange);
  } finally {
    clearTimeout(clock);
    unfollow?.();
  }
}

async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  exchange: Exchange,
): Promise<Buffer> {
  // Without a listener, an unread body that breaks off would end the thread.
  body.on('error', () => undefined);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    body.destroy();
    const { url } = exchange;
    throw new ServerError('refused', `${url} answered in an encoding nobody asked for.`, { url });
  }
  const pieces: AsyncIterable<Buffer> = body;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of pieces) {
    size += chunk.length;
    if (size > exchange.maxBytes) throw tooLarge(exchange);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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
