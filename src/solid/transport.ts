import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent } from 'undici';
import { ServerError } from '../base/errors.js';
import { AnswerReader, holdBody, SMALL_BYTES } from './answer-reader.js';
import { ByteBudget, type ByteShare } from './byte-budget.js';
import { onAbort } from './link-signals.js';
import type { SolidAnswer, SolidMethod } from './solid-client.js';
import { whyUnreachable } from './why-unreachable.js';

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
  /** Whoever reads the body gives its room back (`releaseBody`). */
  holdsBody?: boolean | undefined;
  /** Instead of the transport's own. */
  timeouts?: Partial<TransportTimeouts>;
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

const DEFAULT_TIMEOUTS: TransportTimeouts = {
  connectMs: 8_000,
  answerMs: 20_000,
  idleMs: 15_000,
  totalMs: 120_000,
};

/** For any other server than the Analyser's own. */
export const TIMEOUTS_ELSEWHERE: Partial<TransportTimeouts> = {
  answerMs: 8_000,
  idleMs: 5_000,
  totalMs: 20_000,
};

/** Below the five seconds after which the Community Solid Server closes an idle connection. */
const KEEP_ALIVE_MS = 4_000;

/**
 * Of answers that are not small, together. What is made of them, text and readings, takes several
 * times as much.
 */
const BUDGET_BYTES = 48 * 1024 * 1024;

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
    connect: { timeout: timeouts.connectMs },
  });
  const budget = new ByteBudget(BUDGET_BYTES);
  return {
    send: (exchange) => send(agent, budget, exchange, { ...timeouts, ...exchange.timeouts }),
    close: () => agent.destroy(),
  };
}

async function send(
  agent: Agent,
  budget: ByteBudget,
  exchange: Exchange,
  timeouts: TransportTimeouts,
): Promise<SolidAnswer> {
  const { method, url, signal, maxBytes } = exchange;
  signal?.throwIfAborted();
  let timedOut = false;
  const reader = new AnswerReader(maxBytes, budget, () => tooLarge(exchange));
  const timer = setTimeout(() => {
    if (reader.isWaiting) {
      timer.refresh();
      return;
    }
    timedOut = true;
    reader.stop(new Error('timed out'));
  }, timeouts.totalMs);
  const unfollow = signal && onAbort(signal, () => reader.stop(new Error('aborted')));
  try {
    const { origin, pathname, search } = new URL(url);
    const headers = { 'accept-encoding': 'gzip', ...exchange.headers };
    const body = exchange.body ?? null;
    // Not `request`: its stream and its listeners cost more than the exchange itself.
    agent.dispatch(
      {
        origin,
        path: pathname + search,
        method,
        headers,
        body,
        headersTimeout: timeouts.answerMs,
        bodyTimeout: timeouts.idleMs,
      },
      reader,
    );
    const answer = await reader.answer;
    const { body: decoded, share } = await decode(answer, exchange, budget, reader.share);
    if (exchange.holdsBody === true && share !== null) holdBody(decoded, share);
    else share?.release();
    return { ...answer, body: decoded, url };
  } catch (error) {
    reader.share?.release();
    signal?.throwIfAborted();
    throw error instanceof ServerError ? error : toServerError(error, exchange, timedOut);
  } finally {
    clearTimeout(timer);
    unfollow?.();
  }
}

const unzip = promisify(gunzip);

interface Decoded {
  body: Buffer;
  /** What it takes of the budget; null for a small one. */
  share: ByteShare | null;
}

async function decode(
  { headers, body }: Pick<SolidAnswer, 'headers' | 'body'>,
  exchange: Exchange,
  budget: ByteBudget,
  share: ByteShare | null,
): Promise<Decoded> {
  const encoding = headers['content-encoding'];
  const isPlain = encoding === undefined || encoding === 'identity' || exchange.method === 'HEAD';
  if (isPlain || body.length === 0) return { body, share };
  const { url } = exchange;
  if (encoding !== 'gzip') {
    throw new ServerError('refused', `${url} answered in an encoding nobody asked for.`, { url });
  }
  // It ends in the length of what is inside; one that says too little is cut off there.
  const length = body.length < 4 ? 0 : body.readUInt32LE(body.length - 4);
  const maxOutputLength = Math.min(exchange.maxBytes, Math.max(length, SMALL_BYTES));
  const room = maxOutputLength > SMALL_BYTES ? await budget.take(maxOutputLength) : null;
  try {
    return { body: await unzip(body, { maxOutputLength }), share: room };
  } catch (error) {
    room?.release();
    throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(exchange) : error;
  } finally {
    share?.release();
  }
}

function tooLarge({ url, maxBytes }: Exchange): ServerError {
  const message = `${url} is larger than the ${maxBytes} bytes that are read of such a document.`;
  return new ServerError('too-large', message, { url });
}

function toServerError(error: unknown, exchange: Exchange, timedOut: boolean): ServerError {
  const { method, url } = exchange;
  if (timedOut || SLOW_CODES.has(codeOf(error))) {
    const message = `${url} did not answer ${method} in time.`;
    return new ServerError('slow', message, { url, cause: error });
  }
  const message = `${url} could not be reached: ${whyUnreachable(error, url)}.`;
  return new ServerError('unreachable', message, { url, cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
