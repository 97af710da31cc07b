import { z } from 'zod';
import { fromWireError, toWireError, type WireError } from '../base/wire-error.js';
import type { Config, Secrets } from '../config/schema.js';
import type { AnalysisReport } from '../run/analysis-report.js';
import type { ObservedEvent } from '../run/observer.js';
import type { OnFiles } from '../run/read/read-task.js';
import type { NamedCall } from '../run/turn.js';
import type { Pauses, ReadinessState } from './readiness.js';

/** The functions that one thread lets the other one call. */
type Offer = Record<string, (...given: never[]) => unknown>;

interface Call {
  name: string;
  given: never[];
  /** Null where no reply is wanted. */
  id: number | null;
}

interface Reply {
  id: number;
  value: never;
  error: WireError | null;
}

interface MessageEnd {
  on(event: 'message', listener: (message: Call | Reply) => void): unknown;
  postMessage(message: object): void;
}

/**
 * One end of the port between the two threads. Each thread offers functions, which the other calls by name: `tell`
 * wants no reply, `ask` waits for the reply. Calls arrive in the order in which they were made. Both threads run the
 * same version, so the compiler alone checks their messages.
 */
export class ThreadPort<Theirs extends Offer> {
  readonly #waiting = new Map<
    number,
    { resolve: (value: never) => void; reject: (error: Error) => void }
  >();
  #lastId = 0;

  constructor(private readonly end: MessageEnd) {}

  /** Starts to answer the calls of the other end, including the calls that came earlier. */
  offer(own: Offer): void {
    this.end.on('message', (message) => {
      if ('name' in message) this.#serve(own, message);
      else this.#settle(message);
    });
  }

  tell<Name extends keyof Theirs>(name: Name, ...given: Parameters<Theirs[Name]>): void {
    this.end.postMessage({ name, given, id: null });
  }

  ask<Name extends keyof Theirs>(
    name: Name,
    ...given: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.end.postMessage({ name, given, id });
    });
  }

  /** Rejects every call that waits for a reply. */
  fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #serve(own: Offer, { name, given, id }: Call): void {
    const act = () => own[name]?.(...given);
    if (id === null) act();
    else void this.#reply(id, act);
  }

  async #reply(id: number, act: () => unknown): Promise<void> {
    try {
      this.end.postMessage({ id, value: await act(), error: null });
    } catch (error) {
      this.end.postMessage({ id, value: null, error: toWireError(error) });
    }
  }

  #settle({ id, value, error }: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === null) waiting?.resolve(value);
    else waiting?.reject(fromWireError(error));
  }
}

/** What the analysis thread does for the main thread; one analysis at a time. */
export type AnalysisThreadOffer = {
  /** Resolves when every call has its answer; rejects with the reason when calls have no answer. */
  analyse: (calls: readonly NamedCall[]) => Promise<void>;
  /** Stops the analysis in hand, if it still runs. */
  stop: (reason: WireError) => void;
  /** Ends what the analysis in hand writes to the Analyser's Pod. */
  endWriting: () => void;
  /** Judges a failure of the main thread. Null means that somebody asks whether the service is ready. */
  recheck: (failure: WireError | null) => void;
  /** Closes the connection and ends the thread. */
  close: () => Promise<void>;
};

/** What the main thread does for the analysis thread. `commit` and `answer` are the functions of a Turn. */
export type MainThreadOffer = {
  commit: () => Promise<ReadonlySet<string>>;
  answer: (callId: string, report: AnalysisReport) => void;
  files: OnFiles;
  readiness: (state: ReadinessState) => void;
  observed: (event: ObservedEvent) => void;
};

/** The data that the analysis thread gets at its start, and its only source of secrets. */
export interface ThreadData {
  config: Config;
  secrets: Secrets;
  /** The digest of the build. */
  build: string;
  verbose: boolean;
  /** The file descriptor that the thread writes its log to. */
  logTo: number;
  /** The pauses between two tries to get ready. */
  pauses?: Pauses;
}

/** Not checked further, because this process has made the data itself. */
export const threadData = z.custom<ThreadData>((value) => typeof value === 'object');
