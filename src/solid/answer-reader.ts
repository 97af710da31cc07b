import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ByteBudget, ByteShare } from './byte-budget.js';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** From here on the room for an answer is taken at once: two copies of an inbox are one too many. */
const LARGE_BYTES = 1_048_576;

/** Up to here an answer is nobody's concern; beyond, what it takes is counted, in such steps. */
export const SMALL_BYTES = 262_144;

const held = new WeakMap<ArrayBufferLike, ByteShare>();

/** Its bytes stay counted until `releaseBody`. */
export function holdBody({ buffer }: Buffer, share: ByteShare): void {
  held.set(buffer, share);
}

/**
 * Gives back at once what a large answer takes. Nobody may look at it any more; left to the
 * collector it would stay for most of an analysis, because little else is that old.
 */
export function releaseBody({ buffer }: Buffer): void {
  held.get(buffer)?.release();
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0);
}

/** Collects one answer as it comes in, up to a size, unless it is stopped. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answer: Promise<RawAnswer>;
  readonly #chunks: Buffer[] = [];
  /** As long as the server says that the answer is. */
  #room: Buffer | null = null;
  readonly #maxBytes: number;
  readonly #budget: ByteBudget;
  /** null: the answer is small so far. */
  #share: ByteShare | null = null;
  readonly #tooLarge: () => Error;
  #resolve: (answer: RawAnswer) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  #controller: Dispatcher.DispatchController | null = null;
  #stopped: Error | null = null;
  #status = 0;
  #headers: Record<string, string> = {};
  #size = 0;

  constructor(maxBytes: number, budget: ByteBudget, tooLarge: () => Error) {
    this.#maxBytes = maxBytes;
    this.#budget = budget;
    this.#tooLarge = tooLarge;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get share(): ByteShare | null {
    return this.#share;
  }

  /** For room, not for the server. */
  get isWaiting(): boolean {
    return this.#share?.isWaiting ?? false;
  }

  /** The connection goes with it, when the request has one already. */
  stop(reason: Error): void {
    this.#stopped = reason;
    this.#controller?.abort(reason);
    this.#reject(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#stopped !== null) controller.abort(this.#stopped);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    this.#status = status;
    this.#headers = flattenHeaders(headers);
    const length = Number(this.#headers['content-length']);
    if (length > SMALL_BYTES && length <= this.#maxBytes) this.#takeRoom(length, controller);
    if (length >= LARGE_BYTES && length <= this.#maxBytes) {
      this.#room = Buffer.from(new ArrayBuffer(length, { maxByteLength: length }), 0, length);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const start = this.#size;
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes) {
      this.stop(this.#tooLarge());
      return;
    }
    if (this.#room === null) this.#chunks.push(chunk);
    else chunk.copy(this.#room, start);
    const counted = this.#share?.size ?? SMALL_BYTES;
    if (this.#size > counted) this.#takeRoom(this.#size - counted + SMALL_BYTES, controller);
  }

  #takeRoom(bytes: number, controller: Dispatcher.DispatchController): void {
    this.#share ??= this.#budget.open();
    if (!this.#share.take(bytes, () => controller.resume())) controller.pause();
  }

  onResponseEnd(): void {
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body() });
  }

  #body(): Buffer {
    if (this.#room !== null) return this.#room.subarray(0, this.#size);
    const [first, second] = this.#chunks;
    return first !== undefined && second === undefined ? first : Buffer.concat(this.#chunks);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }
}

function flattenHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
