import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../base/logger.js';

export interface Connector<Connection> {
  /** Logs in and unlocks the Analyser Pod. */
  connect(signal: AbortSignal): Promise<Connection>;
  disconnect(connection: Connection): Promise<void>;
}

/** No login and unlock takes longer; a storage server that hangs must not hold up the next attempt. */
const attemptLimitMs = 60_000;

export interface Pauses {
  firstMs: number;
  longestMs: number;
}

interface Surroundings {
  log: Logger;
  /** The reason as callers of Status may read it. */
  describe(error: unknown): string;
  onChange(ready: boolean): void;
  pauses: Pauses;
}

/**
 * Holds the one login of the service. While there is none it tries again by itself with
 * growing pauses; while there is one it is silent.
 */
export class Readiness<Connection> {
  readonly #connector: Connector<Connection>;
  readonly #around: Surroundings;
  readonly #stopping = new AbortController();
  #connection: { value: Connection } | null = null;
  #attempt: Promise<Connection> | null = null;
  #retrying: Promise<void> | null = null;
  #reason = 'The service is logging in.';

  constructor(connector: Connector<Connection>, around: Surroundings) {
    this.#connector = connector;
    this.#around = around;
  }

  get ready(): boolean {
    return this.#connection !== null;
  }

  /** Empty when ready. */
  get reason(): string {
    return this.ready ? '' : this.#reason;
  }

  /** Settles with the first attempt, whatever comes of it. */
  async start(): Promise<void> {
    this.#retrying ??= this.#retry();
    await this.#attempt?.catch(() => undefined);
  }

  /** The connection; when there is none, the outcome of an attempt made now. */
  async obtain(signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted();
    if (this.#connection !== null) return this.#connection.value;
    return await unlessAborted(this.#connect(), signal);
  }

  /** Forgets a connection that turned out to be no good. */
  async drop(connection: Connection, error: unknown): Promise<void> {
    if (this.#connection?.value !== connection) return;
    this.#connection = null;
    this.#fail(error);
    this.#around.onChange(false);
    await this.#disconnect(connection);
    this.#retrying ??= this.#retry();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#retrying;
    await this.#attempt?.catch(() => undefined);
    if (this.#connection !== null) await this.#disconnect(this.#connection.value);
    this.#connection = null;
  }

  async #retry(): Promise<void> {
    const { firstMs, longestMs } = this.#around.pauses;
    const { signal } = this.#stopping;
    for (let wait = firstMs; !this.ready && !signal.aborted; wait = Math.min(wait * 2, longestMs)) {
      const connected = await this.#connect().then(
        () => true,
        () => false,
      );
      if (!connected) await pause(wait, undefined, { signal }).catch(() => undefined);
    }
    this.#retrying = null;
  }

  #connect(): Promise<Connection> {
    this.#attempt ??= this.#attemptToConnect().finally(() => {
      this.#attempt = null;
    });
    return this.#attempt;
  }

  async #attemptToConnect(): Promise<Connection> {
    const limit = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(attemptLimitMs)]);
    try {
      const connection = await this.#connector.connect(limit);
      this.#connection = { value: connection };
      this.#around.log.info('The Analyser Pod is unlocked; the service is ready.');
      this.#around.onChange(true);
      return connection;
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#fail(error);
      throw error;
    }
  }

  #fail(error: unknown): void {
    const reason = this.#around.describe(error);
    // A cause that stays the same is told once, not every thirty seconds.
    const level = reason === this.#reason ? 'debug' : 'warn';
    this.#around.log[level]({ err: error }, 'The service is not ready; it goes on trying.');
    this.#reason = reason;
  }

  async #disconnect(connection: Connection): Promise<void> {
    try {
      await this.#connector.disconnect(connection);
    } catch (error) {
      this.#around.log.debug({ err: error }, 'The connection did not close cleanly.');
    }
  }
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      const reason: unknown = signal.reason;
      reject(reason);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
