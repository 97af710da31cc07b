import { setTimeout as pause } from 'node:timers/promises';
import { AnalyserError, isUnanswered } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { failureSentence } from '../queue/failure-sentence.js';
import { notReadyReason, type OwnAddresses } from '../queue/own-addresses.js';
import { waitFor } from '../solid/login/session.js';
import { endsConnection } from './ends-connection.js';

export interface Connector<C> {
  /** Logs in and unlocks the Analyser Pod, after a test write to the local disk. */
  connect(signal: AbortSignal): Promise<C>;
  disconnect(connection: C): Promise<void>;
  /** Tries again what has failed, a login or a write to the disk; rejects while it fails. */
  verify(failure: unknown, signal: AbortSignal): Promise<void>;
  /** Tries the disk and the storage server, without credentials and without asking for a Pod. */
  probe(signal: AbortSignal): Promise<void>;
}

const defaultPauses = {
  firstMs: 1000,
  longestMs: 30_000,
  /** How long the last evidence counts. */
  evidenceMs: 30_000,
};
export type Pauses = Partial<typeof defaultPauses>;

export interface ReadinessState {
  ready: boolean;
  /** For callers; empty when ready. */
  reason: string;
}

interface ReadinessOptions {
  log: Logger;
  own: OwnAddresses;
  onChange: (state: ReadinessState) => void;
  pauses?: Pauses | undefined;
}

/** Ends an attempt on a storage server that hangs, so that the next one can begin. */
const ATTEMPT_LIMIT_MS = 60_000;
const PROBE_LIMIT_MS = 10_000;

/**
 * Holds the one connection of the service and says whether an analysis could work now. While it
 * could not, this tries again by itself with growing pauses. While it could, it probes the server
 * only when somebody asks and the last evidence is old.
 */
export class Readiness<C> {
  readonly #pauses: typeof defaultPauses;
  readonly #stopping = new AbortController();
  #connection: { value: C } | null = null;
  /** Why an analysis could not work although the Pod is unlocked. */
  #failure: unknown = null;
  #attempt: Promise<C> | null = null;
  #retrying: Promise<void> | null = null;
  #probing: Promise<void> | null = null;
  #reason = 'The service is logging in.';
  #evidenceAt = performance.now();

  constructor(
    private readonly connector: Connector<C>,
    private readonly options: ReadinessOptions,
  ) {
    this.#pauses = { ...defaultPauses, ...options.pauses };
  }

  get ready(): boolean {
    return this.#connection !== null && this.#failure === null;
  }

  get state(): ReadinessState {
    return { ready: this.ready, reason: this.#reason };
  }

  /** Settles with the first attempt, whether it works or not. */
  async start(): Promise<void> {
    this.#startRetrying();
    await this.#attempt?.catch(() => undefined);
  }

  /** Returns the connection, after an attempt to connect when there is none. */
  async obtain(signal: AbortSignal): Promise<C> {
    signal.throwIfAborted();
    if (this.#connection !== null) return this.#connection.value;
    return await waitFor(this.#connect(), signal);
  }

  worked(): void {
    this.#evidenceAt = performance.now();
    if (this.#failure !== null) this.#recovered();
  }

  /** Called when an analysis has failed; drops the connection when its login is invalid. */
  async failed(error: unknown, connection: C | null = null): Promise<void> {
    if (endsConnection(error)) {
      if (connection === null || this.#connection?.value !== connection) return;
      this.#connection = null;
      this.#fail(error, notReadyReason(error, this.options.own));
      await this.#disconnect(connection);
    } else {
      if (!concernsEverybody(error) || this.#connection === null) return;
      this.#failure = error;
      this.#fail(error, failureSentence(error));
    }
    this.#startRetrying();
  }

  /** Called when somebody asks whether the service is ready; never waits. */
  asked(): void {
    const { evidenceMs } = this.#pauses;
    if (!this.ready || performance.now() - this.#evidenceAt < evidenceMs) return;
    const limit = this.#limit(PROBE_LIMIT_MS);
    this.#probing ??= this.connector
      .probe(limit)
      .then(
        () => this.worked(),
        (error: unknown) => this.failed(error),
      )
      .finally(() => {
        this.#probing = null;
      });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([this.#retrying, this.#probing]);
    await this.#attempt?.catch(() => undefined);
    if (this.#connection !== null) await this.#disconnect(this.#connection.value);
    this.#connection = null;
  }

  #startRetrying(): void {
    this.#retrying ??= this.#retry().finally(() => {
      this.#retrying = null;
    });
  }

  async #retry(): Promise<void> {
    const { firstMs, longestMs } = this.#pauses;
    const { signal } = this.#stopping;
    for (let wait = firstMs; !this.ready && !signal.aborted; wait = Math.min(wait * 2, longestMs)) {
      const works = await this.#try().then(
        () => true,
        () => false,
      );
      if (!works) await pause(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  async #try(): Promise<void> {
    if (this.#connection === null) {
      await this.#connect();
      return;
    }
    const failure = this.#failure;
    if (failure === null) return;
    await this.connector.verify(failure, this.#limit(ATTEMPT_LIMIT_MS));
    // Another analysis may have failed in the meantime.
    if (this.#failure === failure) this.#recovered();
  }

  #connect(): Promise<C> {
    this.#attempt ??= this.#attemptToConnect().finally(() => {
      this.#attempt = null;
    });
    return this.#attempt;
  }

  async #attemptToConnect(): Promise<C> {
    try {
      const connection = await this.connector.connect(this.#limit(ATTEMPT_LIMIT_MS));
      this.#connection = { value: connection };
      this.#recovered();
      return connection;
    } catch (error) {
      if (!this.#stopping.signal.aborted) {
        this.#fail(error, notReadyReason(error, this.options.own));
      }
      throw error;
    }
  }

  #recovered(): void {
    this.#failure = null;
    this.#evidenceAt = performance.now();
    this.#reason = '';
    this.options.log.info('The Analyser Pod is unlocked; the service is ready.');
    this.options.onChange(this.state);
  }

  #fail(error: unknown, reason: string): void {
    // The same cause is logged as a warning once, not every thirty seconds.
    const level = reason === this.#reason ? 'debug' : 'warn';
    this.options.log[level]({ err: error }, 'The service is not ready; it goes on trying.');
    this.#reason = reason;
    this.options.onChange(this.state);
  }

  #limit(milliseconds: number): AbortSignal {
    return AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(milliseconds)]);
  }

  async #disconnect(connection: C): Promise<void> {
    try {
      await this.connector.disconnect(connection);
    } catch (error) {
      this.options.log.debug({ err: error }, 'The connection did not close cleanly.');
    }
  }
}

/** Whether the next analysis would fail too; a refused request or a damaged document does not count. */
function concernsEverybody(error: unknown): boolean {
  return isUnanswered(error) || (error instanceof AnalyserError && error.kind === 'disk');
}
