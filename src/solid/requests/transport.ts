import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Dispatcher, errors, request } from 'undici';
import { ConcurrencyLimit } from '../../base/concurrency.js';
import { AnalyserError, ServerError } from '../../base/errors.js';
import { onAbort } from '../../base/on-abort.js';
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
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal?: AbortSignal | undefined;
  maxBytes: number;
  /** If true, the server is not the Analyser's own, and gets less time. */
  isElsewhere?: boolean;
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

const TIMEOUTS_AT_HOME: TransportTimeouts = {
  connectMs: 8_000,
  answerMs: 20_000,
  idleMs: 15_000,
  totalMs: 120_000,
};
const TIMEOUTS_ELSEWHERE: TransportTimeouts = {
  connectMs: 8_000,
  answerMs: 8_000,
  idleMs: 5_000,
  totalMs: 20_000,
};

/** Shorter than the five seconds after which the Community Solid Server closes idle connections. */
const KEEP_ALIVE_MS = 4_000;

/** An answer with more bytes counts as large; a file of the app has a kilobyte. */
const SMALL_BYTES = 262_144;
/**
 * How many large bodies are received at once from the own server, and how many from all other servers together. A
 * further body waits after its first bytes. A complete body is used up before another one can be complete, so memory
 * never holds more large bodies than these.
 */
const LARGE_AT_ONCE = 3;

export function createTransport(options: {
  /** The most connections to each server; by default as many as there are requests. */
  connections?: number;
  timeouts?: Partial<TransportTimeouts> | undefined;
}): Transport {
  const place = (usual: TransportTimeouts) => ({
    timeouts: { ...usual, ...options.timeouts },
    // Separate places, so that a slow other server does not hold up requests at home.
    largeAnswers: new ConcurrencyLimit(LARGE_AT_ONCE),
  });
  const home = place(TIMEOUTS_AT_HOME);
  const elsewhere = place(TIMEOUTS_ELSEWHERE);
  const agent = createAgent({
    ...(options.connections !== undefined && { connections: options.connections }),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connectMs: home.timeouts.connectMs,
  });
  return {
    send: (exchange) => send(agent, exchange, exchange.isElsewhere ? elsewhere : home),
    close: (reason) => agent.destroy(reason ?? null),
  };
}

interface Place {
  timeouts: TransportTimeouts;
  largeAnswers: ConcurrencyLimit;
}

async function send(
  agent: Dispatcher,
  exchange: Exchange,
  { timeouts, largeAnswers }: Place,
): Promise<SolidAnswer> {
  const { method, url, signal } = exchange;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const unfollow = signal && onAbort(signal, () => stop.abort(signal.reason));
  const startClock = () => setTimeout(() => stop.abort(tooSlow(exchange)), timeouts.totalMs);
  let clock = startClock();
  const takePlace = async () => {
    // Our wait for a place does not count as the server's time.
    clearTimeout(clock);
    const leave = await largeAnswers.take(stop.signal);
    clock = startClock();
    return leave;
  };
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers: { 'accept-encoding': 'gzip', ...exchange.headers },
      body: exchange.body ?? null,
      signal: stop.signal,
      headersTimeout: timeouts.answerMs,
      bodyTimeout: timeouts.idleMs,
    });
    const body = await readBody(answer, exchange, takePlace);
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
  answer: Dispatcher.ResponseData,
  exchange: Exchange,
  takePlace: () => Promise<() => void>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  /** A large body is written into one buffer as it comes, so that it is in memory only once. */
  let large: Buffer | null = null;
  let size = 0;
  let leavePlace: (() => void) | null = null;
  // Without a listener, an unread body that breaks off would end the thread.
  answer.body.on('error', () => undefined);
  try {
    for await (const chunk of decompress(answer, exchange)) {
      const start = size;
      size += chunk.length;
      if (size > exchange.maxBytes) throw tooLarge(exchange);
      if (large === null && size > SMALL_BYTES) {
        leavePlace = await takePlace();
        // The buffer has room for the longest body: pages of it that are never written take no memory.
        large = Buffer.allocUnsafeSlow(exchange.maxBytes);
        Buffer.concat(chunks.splice(0)).copy(large);
      }
      if (large === null) chunks.push(chunk);
      else chunk.copy(large, start);
    }
    return large?.subarray(0, size) ?? Buffer.concat(chunks);
  } finally {
    leavePlace?.();
  }
}

function decompress(
  { headers, body }: Dispatcher.ResponseData,
  { method, url }: Exchange,
): AsyncIterable<Buffer> {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity' || method === 'HEAD') return body;
  if (encoding === 'gzip') return pipeline(body, createGunzip(), () => undefined);
  body.destroy();
  throw new ServerError('refused', `${url} answered in an encoding nobody asked for.`, { url });
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
  const message = `${url} could not be reached: ${whyUnreachable(error, url)}.`;
  return new ServerError('unreachable', message, { url, cause: error });
}

function flattenHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
