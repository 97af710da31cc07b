import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, request } from 'undici';
import { messageOf, ServerError } from '../base/errors.js';
import { linkSignals } from './link-signals.js';
import type { SolidAnswer, SolidMethod } from './solid-client.js';

/** One exchange with a server: no retries, no redirects, no login; bounded in time and size. */
export interface Transport {
  send: (exchange: Exchange) => Promise<SolidAnswer>;
  close: () => Promise<void>;
}

export interface Exchange {
  method: SolidMethod;
  url: string;
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
  /** The whole exchange, so that a trickle of bytes does not last for ever. */
  totalMs: number;
}

export const DEFAULT_TIMEOUTS: TransportTimeouts = {
  connectMs: 10_000,
  answerMs: 20_000,
  idleMs: 15_000,
  totalMs: 120_000,
};

/** Below the five seconds after which the Community Solid Server closes an idle connection. */
const KEEP_ALIVE_MS = 4_000;

const SLOW_CODES = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

export function createTransport(options: {
  connections: number;
  timeouts?: Partial<TransportTimeouts> | undefined;
}): Transport {
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const agent = new Agent({
    connections: options.connections,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeouts.answerMs,
    bodyTimeout: timeouts.idleMs,
    connect: { timeout: timeouts.connectMs },
  });
  return {
    send: (exchange) => send(agent, exchange, timeouts.totalMs),
    close: () => agent.destroy(),
  };
}

async function send(agent: Agent, exchange: Exchange, totalMs: number): Promise<SolidAnswer> {
  const { method, url } = exchange;
  const linked = linkSignals([exchange.signal], totalMs);
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers: { 'accept-encoding': 'gzip', ...exchange.headers },
      body: exchange.body ?? null,
      signal: linked.signal,
    });
    const headers = flattenHeaders(answer.headers);
    const content = decode(answer.body, headers['content-encoding'], method);
    if (content === undefined) {
      answer.body.destroy();
      throw new ServerError('refused', `${url} answered in an encoding nobody asked for.`, { url });
    }
    const body = await readBounded(content, exchange);
    return { status: answer.statusCode, headers, body, url };
  } catch (error) {
    exchange.signal?.throwIfAborted();
    throw error instanceof ServerError ? error : toServerError(error, exchange, linked.timedOut());
  } finally {
    linked.release();
  }
}

function flattenHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}

function decode(
  body: Readable,
  encoding: string | undefined,
  method: string,
): Readable | undefined {
  if (encoding === undefined || encoding === 'identity' || method === 'HEAD') return body;
  if (encoding !== 'gzip') return undefined;
  const gunzip = createGunzip();
  body.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => body.destroy());
  return body.pipe(gunzip);
}

async function readBounded(content: Readable, { url, maxBytes }: Exchange): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early destroys the stream, and with it the connection.
  for await (const chunk of content) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.length;
    if (size > maxBytes) {
      throw new ServerError(
        'too-large',
        `${url} is larger than the ${maxBytes} bytes that are read of such a document.`,
        { url },
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function toServerError(error: unknown, exchange: Exchange, timedOut: boolean): ServerError {
  const { method, url } = exchange;
  if (timedOut || SLOW_CODES.has(codeOf(error))) {
    const message = `${url} did not answer ${method} in time.`;
    return new ServerError('slow', message, { url, cause: error });
  }
  const message = `${url} could not be reached: ${describe(error)}.`;
  return new ServerError('unreachable', message, { url, cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A host with several addresses fails with a list of errors and an empty message. */
function describe(error: unknown): string {
  return messageOf(error) || codeOf(error) || 'the connection failed';
}
