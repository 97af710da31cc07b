import { setTimeout as pause } from 'node:timers/promises';
import { AnalyserError, isDiskError, isUnanswered, ServerError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { failureSentence } from '../run/analysis-report.js';
import { waitFor } from '../solid/login/session.js';
import { type OwnAddresses, withoutForeignAddresses } from './foreign-addresses.js';

/** C is the type of the connection. */
export interface Connector<C> {
  /** Logs in and unlocks the Analyser Pod. The service first tests a write to the disk; a worker does not. */
  connect(signal: AbortSignal): Promise<C>;
  /**
   * After a failure of the disk, tries to write; after any other failure, tries to log in. If `failure` is null, tries
   * the disk and the storage server, without credentials or a Pod. Rejects when the attempt fails.
   */
  probe(failure: unknown, signal: AbortSignal): Promise<void>;
}

const defaultPauses = {
  firstMs: 1000,
  longestMs: 30_000,
  /** For how long after its last success the service counts as ready without a new probe. */
  evidenceMs: 30_000,
};
export type Pauses = Partial<typeof defaultPauses>;

export interface ReadinessState {
  ready: boolean;
  /** Words for callers; empty when the service is ready. */
  reason: string;
}

interface ReadinessOptions {
  log: Logger;
  own: OwnAddresses;
  onChange: (state: ReadinessState) => void;
  pauses?: Pauses | undefined;
}

/** Ends an attempt when the storage server hangs, so that the next attempt can begin. */
const LOGIN_LIMIT_MS = 60_000;
const PROBE_LIMIT_MS = 10_000;

/**
 * Holds the one connection of the service and says whether an analysis could work now. While an analysis could not
 * work, this class tries again by itself, with growing pauses. While an analysis could work, this class probes the
 * server only when somebody asks and the last evidence is old.
 */
export class Readiness<C extends { close(): Promise<void> }> {
  readonly #pauses: typeof defaultPauses;
  readonly #closing = new AbortController();
  #connection: C | null = null;
  /** Why an analysis could not work despite a connection. */
  #failure: unknown = null;
  /** Why workers cannot read, in words for callers; empty when reading works. Trying again here does not help. */
  #problem = '';
  #reason = 'The service is logging in.';
  #evidenceAt = performance.now();
  /** One login and one probe at a time, shared by everybody who waits. */
  #login: Promise<void> | null = null;
  #probing: Promise<void> | null = null;
  #retrying: Promise<void> | null = null;

  constructor(
    private readonly connector: Connector<C>,
    private readonly options: ReadinessOptions,
  ) {
    this.#pauses = { ...defaultPauses, ...options.pauses };
  }

  get state(): ReadinessState {
    const reason = this.#isConnected ? this.#problem : this.#reason;
    return { ready: reason === '', reason };
  }

  get #isConnected(): boolean {
    return this.#connection !== null && this.#failure === null;
  }

  tellProblem(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    if (problem !== '') this.options.log.warn({ reason: problem }, 'Nothing can be read.');
    else this.options.log.info('What was shared can be read again.');
    if (this.#isConnected) this.options.onChange(this.state);
  }

  /** Settles when the first attempt worked or failed. */
  async start(): Promise<void> {
    this.#startRetrying();
    await this.#login?.catch(() => undefined);
  }

  /** Returns the connection, after an attempt to connect when there is none. */
  async obtain(signal: AbortSignal): Promise<C> {
    signal.throwIfAborted();
    while (this.#connection === null) await waitFor(this.#logIn(), signal);
    return this.#connection;
  }

  /**
   * Analyses with the connection, and judges by the errors whether the next analysis could work. `analyse` returns
   * errors that kept single callers from their results, and throws an error that kept all callers from theirs.
   */
  async use(
    signal: AbortSignal,
    analyse: (connection: C) => Promise<readonly unknown[]>,
  ): Promise<void> {
    const { log } = this.options;
    let connection: C | null = null;
    try {
      connection = await this.obtain(signal);
      const errors = await analyse(connection);
      for (const error of errors) {
        log.error({ err: error }, 'A caller did not get everything.');
        await this.failed(error, connection);
      }
      if (errors.length === 0) this.#worked();
    } catch (error) {
      if (signal.aborted) {
        log.info({ reason: failureSentence(signal.reason) }, 'An analysis was stopped.');
      } else {
        log.error({ err: error }, 'An analysis failed.');
        await this.failed(error, connection);
      }
      throw error;
    }
  }

  /** Judges a failure: drops the connection if its login is invalid, or notes a failure that concerns everybody. */
  async failed(error: unknown, connection: C | null = null): Promise<void> {
    if (needsLogin(error)) {
      if (connection === null || this.#connection !== connection) return;
      this.#connection = null;
      this.#tellFailure(error, notReadyReason(error, this.options.own));
      await this.#close(connection);
    } else {
      if (!concernsEverybody(error) || this.#connection === null) return;
      this.#failure = error;
      this.#tellFailure(error, failureSentence(error));
    }
    this.#startRetrying();
  }

  /** Called when somebody asks whether the service is ready; never waits. */
  recheck(): void {
    const { evidenceMs } = this.#pauses;
    if (!this.#isConnected || performance.now() - this.#evidenceAt < evidenceMs) return;
    this.#probe().catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([this.#login, this.#probing, this.#retrying]);
    if (this.#connection !== null) await this.#close(this.#connection);
    this.#connection = null;
  }

  #startRetrying(): void {
    this.#retrying ??= this.#retry().finally(() => {
      this.#retrying = null;
    });
  }

  async #retry(): Promise<void> {
    const { firstMs, longestMs } = this.#pauses;
    const { signal } = this.#closing;
    for (
      let wait = firstMs;
      !this.#isConnected && !signal.aborted;
      wait = Math.min(wait * 2, longestMs)
    ) {
      try {
        await (this.#connection === null ? this.#logIn() : this.#probe());
      } catch {
        await pause(wait, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  #logIn(): Promise<void> {
    this.#login ??= this.#tryToLogIn().finally(() => {
      this.#login = null;
    });
    return this.#login;
  }

  /** Separate from the login, for which analyses wait: a probe of a server that hangs must not hold up a login. */
  #probe(): Promise<void> {
    this.#probing ??= this.#tryToProbe().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  async #tryToLogIn(): Promise<void> {
    try {
      this.#connection = await this.connector.connect(this.#limit(LOGIN_LIMIT_MS));
    } catch (error) {
      if (!this.#closing.signal.aborted) {
        this.#tellFailure(error, notReadyReason(error, this.options.own));
      }
      throw error;
    }
    this.#recovered();
  }

  async #tryToProbe(): Promise<void> {
    const failure = this.#failure;
    const limit = this.#limit(failure === null ? PROBE_LIMIT_MS : LOGIN_LIMIT_MS);
    try {
      await this.connector.probe(failure, limit);
    } catch (error) {
      if (failure === null) await this.failed(error);
      throw error;
    }
    // An analysis may have failed in the meantime.
    if (this.#failure === failure) this.#worked();
  }

  #worked(): void {
    this.#evidenceAt = performance.now();
    if (this.#failure !== null) this.#recovered();
  }

  #recovered(): void {
    this.#failure = null;
    this.#evidenceAt = performance.now();
    this.#reason = '';
    this.options.log.info('The Analyser Pod is unlocked; the service is ready.');
    this.options.onChange(this.state);
  }

  #tellFailure(error: unknown, reason: string): void {
    // The same cause is logged as a warning once, not every thirty seconds.
    const level = reason === this.#reason ? 'debug' : 'warn';
    this.options.log[level]({ err: error }, 'The service is not ready; it goes on trying.');
    this.#reason = reason;
    this.options.onChange(this.state);
  }

  #limit(milliseconds: number): AbortSignal {
    return AbortSignal.any([this.#closing.signal, AbortSignal.timeout(milliseconds)]);
  }

  async #close(connection: C): Promise<void> {
    try {
      await connection.close();
    } catch (error) {
      this.options.log.debug({ err: error }, 'The connection did not close cleanly.');
    }
  }
}

/** Whether the failure shows that the login is invalid or that the keys have changed. */
export function needsLogin(error: unknown): boolean {
  if (error instanceof ServerError) {
    return error.failure === 'login' || error.details.status === 401;
  }
  return error instanceof AnalyserError && error.kind === 'keys';
}

/** Whether the next analysis would fail too; a refused request or a damaged document does not count. */
function concernsEverybody(error: unknown): boolean {
  return isUnanswered(error) || isDiskError(error);
}

/**
 * Why the service is not ready. The cause concerns the Analyser alone, so callers may be told. Only paths on the disk
 * of the service and foreign addresses stay private.
 */
export function notReadyReason(error: unknown, own: OwnAddresses): string {
  if (isDiskError(error)) return failureSentence(error);
  return error instanceof AnalyserError
    ? withoutForeignAddresses(error.message, own)
    : 'The service failed to get ready. The log of the service says why.';
}
