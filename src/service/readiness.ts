import { AnalyserError, isDiskError, isUnanswered, ServerError } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { waitFor } from '../base/on-abort.js';
import { failureSentence } from '../run/analysis-report.js';
import { type OwnAddresses, withoutForeignAddresses } from './foreign-addresses.js';

export interface Connector<C> {
  /** Rejects if an analysis asked for now could not work; else logs in and unlocks the Analyser Pod. */
  connect(signal: AbortSignal): Promise<C>;
  /** Tries the disk and the storage server, without credentials or a Pod. */
  probe(signal: AbortSignal): Promise<void>;
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
const CONNECT_LIMIT_MS = 60_000;
const PROBE_LIMIT_MS = 10_000;

/**
 * Holds the one connection of the service: without one, no analysis could work now. A failure that
 * concerns everybody drops it, and it is made anew, with growing pauses. While there is one, the server is probed only
 * when somebody asks and the last evidence is old.
 */
export class Readiness<C extends { close(): Promise<void> }> {
  readonly #pauses: typeof defaultPauses;
  readonly #closing = new AbortController();
  #connection: C | null = null;
  /** The connection of the analysis in hand, which is closed only after it. */
  #used: C | null = null;
  /** The attempt under way, shared by everybody who waits for a connection. */
  #attempt: Promise<C> | null = null;
  #next: NodeJS.Timeout | undefined;
  #pauseMs: number;
  #reason = 'The service is logging in.';
  /** Why workers cannot read, in words for callers; empty when reading works. Connecting again does not help. */
  #problem = '';
  #evidenceAt = 0;
  #isProbing = false;

  constructor(
    private readonly connector: Connector<C>,
    private readonly options: ReadinessOptions,
  ) {
    this.#pauses = { ...defaultPauses, ...options.pauses };
    this.#pauseMs = this.#pauses.firstMs;
  }

  get state(): ReadinessState {
    const reason = this.#connection === null ? this.#reason : this.#problem;
    return { ready: reason === '', reason };
  }

  tellProblem(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    if (problem !== '') this.options.log.warn({ reason: problem }, 'Nothing can be read.');
    else this.options.log.info('What was shared can be read again.');
    if (this.#connection !== null) this.options.onChange(this.state);
  }

  async start(): Promise<void> {
    await this.#connect().catch(() => undefined);
  }

  async obtain(signal: AbortSignal): Promise<C> {
    signal.throwIfAborted();
    return this.#connection ?? (await waitFor(this.#connect(), signal));
  }

  /**
   * Analyses with the connection, and judges by the errors whether the next analysis could work. `analyse` returns
   * errors that kept single callers from their results, and throws an error that kept all callers from theirs. Its time
   * begins at `startedAt`, before the login, if there is one.
   */
  async useConnection(
    signal: AbortSignal,
    analyse: (connection: C, startedAt: number) => Promise<readonly unknown[]>,
  ): Promise<void> {
    const { log } = this.options;
    const startedAt = performance.now();
    try {
      this.#used = await this.obtain(signal);
      const errors = await analyse(this.#used, startedAt);
      for (const error of errors) {
        log.error({ err: error }, 'A caller did not get everything.');
        this.failed(error);
      }
      if (errors.length === 0) this.#evidenceAt = performance.now();
    } catch (error) {
      // A Cancel says nothing about the next analysis.
      if (!signal.aborted) {
        log.error({ err: error }, 'An analysis failed.');
        this.failed(error);
      }
      throw error;
    } finally {
      const used = this.#used;
      this.#used = null;
      if (used !== null && used !== this.#connection) await this.#close(used);
    }
  }

  /** Drops the connection that failed, unless the failure says nothing about the next analysis. */
  failed(error: unknown, connection: C | null = this.#connection): void {
    if (connection === null || connection !== this.#connection) return;
    if (!needsLogin(error) && !concernsEverybody(error)) return;
    this.#connection = null;
    this.#tellFailure(error);
    this.#connectLater();
    if (connection !== this.#used) void this.#close(connection);
  }

  /** Called when somebody asks whether the service is ready; never waits. */
  recheck(): void {
    const isOld = performance.now() - this.#evidenceAt >= this.#pauses.evidenceMs;
    // An analysis in hand is itself the probe.
    if (this.#connection !== null && this.#used === null && isOld && !this.#isProbing) {
      void this.#probe(this.#connection);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#next);
    await this.#attempt?.catch(() => undefined);
    if (this.#connection !== null) await this.#close(this.#connection);
    this.#connection = null;
  }

  #connect(): Promise<C> {
    clearTimeout(this.#next);
    this.#attempt ??= this.#tryToConnect().finally(() => {
      this.#attempt = null;
    });
    return this.#attempt;
  }

  async #tryToConnect(): Promise<C> {
    try {
      const connection = await this.connector.connect(this.#limit(CONNECT_LIMIT_MS));
      this.#connection = connection;
      this.#evidenceAt = performance.now();
      this.#pauseMs = this.#pauses.firstMs;
      this.#reason = '';
      this.options.log.info('The Analyser Pod is unlocked; the service is ready.');
      this.options.onChange(this.state);
      return connection;
    } catch (error) {
      if (!this.#closing.signal.aborted) {
        this.#tellFailure(error);
        this.#connectLater();
      }
      throw error;
    }
  }

  #connectLater(): void {
    this.#next = setTimeout(() => void this.#connect().catch(() => undefined), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, this.#pauses.longestMs);
  }

  async #probe(connection: C): Promise<void> {
    this.#isProbing = true;
    try {
      await this.connector.probe(this.#limit(PROBE_LIMIT_MS));
      this.#evidenceAt = performance.now();
    } catch (error) {
      // Since the probe began, an analysis may have begun, which judges for itself.
      if (this.#used === null) this.failed(error, connection);
    } finally {
      this.#isProbing = false;
    }
  }

  #tellFailure(error: unknown): void {
    const reason = notReadyReason(error, this.options.own);
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

export function needsLogin(error: unknown): boolean {
  if (error instanceof ServerError) {
    return error.failure === 'login' || error.details.status === 401;
  }
  return error instanceof AnalyserError && error.kind === 'keys';
}

/** Whether the next analysis would fail too. A damaged document does not count, nor any refusal but one of our own Pod. */
function concernsEverybody(error: unknown): boolean {
  if (isUnanswered(error) || isDiskError(error)) return true;
  return (
    error instanceof ServerError && error.failure === 'refused' && error.details.status === 403
  );
}

/** The cause concerns the Analyser alone, so callers may be told, but for paths on its disk and foreign addresses. */
function notReadyReason(error: unknown, own: OwnAddresses): string {
  if (concernsEverybody(error)) return failureSentence(error);
  return error instanceof AnalyserError
    ? withoutForeignAddresses(error.message, own)
    : 'The service failed to get ready. The log of the service says why.';
}
