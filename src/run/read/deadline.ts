import { AnalyserError } from '../../base/errors.js';
import { limits } from '../limits.js';

/** Aborts requests whose time is over; the analysis goes on. */
export class TimeUpError extends AnalyserError {
  constructor() {
    super('timeout', 'The time that an analysis has for reading was over.');
  }
}

/** A Cancel of the analysis ends it sooner. */
export class Deadline {
  /** Aborts with a TimeUpError when the time is over, or with the reason of a Cancel. */
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  #until = Number.POSITIVE_INFINITY;

  /** `until` is by `performance.now()`, since people can set the clock. `late` is the reason when the time is over. */
  constructor(
    until: number,
    stop: AbortSignal,
    private readonly late: () => Error = () => new TimeUpError(),
  ) {
    this.signal = AbortSignal.any([stop, this.#over.signal]);
    this.endWithin(until - performance.now());
  }

  get until(): number {
    return this.#until;
  }

  /** Whether the time is over. Throws if the analysis was cancelled before; a later Cancel is seen by `analyse.ts`. */
  isOverOrThrow(): boolean {
    if (!(this.signal.reason instanceof TimeUpError)) this.signal.throwIfAborted();
    return this.signal.aborted;
  }

  /** Never later than it ends already. */
  endWithin(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    if (until >= this.#until) return;
    this.clear();
    this.#until = until;
    if (milliseconds > 0) this.#timer = setTimeout(() => this.end(), milliseconds);
    else this.end();
  }

  end(reason = this.late()): void {
    this.#over.abort(reason);
  }

  /** Once nobody asks any more, no timer is left, and none is set. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#until = Number.NEGATIVE_INFINITY;
  }

  /** One that ends with this one, or sooner. It has no timer of its own while it is not to end sooner. */
  sooner(stop: AbortSignal = this.signal): Deadline {
    const both = AbortSignal.any([this.signal, stop]);
    const sooner = new Deadline(Number.POSITIVE_INFINITY, both, this.late);
    sooner.#until = this.#until;
    return sooner;
  }
}

export interface AskingTime {
  reading: Deadline;
  /** For what is asked for a second time. */
  confirming: Deadline;
  /** Ends both with its reason, such as a Cancel. */
  stop: AbortSignal;
}

export function sooner(time: AskingTime, stop: AbortSignal): AskingTime {
  const [reading, confirming] = [time.reading.sooner(stop), time.confirming.sooner(stop)];
  return { reading, confirming, stop: AbortSignal.any([time.stop, stop]) };
}

export function clear({ reading, confirming }: AskingTime): void {
  reading.clear();
  confirming.clear();
}

/** `until` is by `performance.now()`. */
export function askingTime(until: number, stop: AbortSignal): AskingTime {
  const now = performance.now();
  const fraction = (part: number) => new Deadline(now + part * (until - now), stop);
  const reading = fraction(limits.readingFraction);
  return { reading, confirming: fraction(limits.confirmingFraction), stop };
}

export function endless(stop: AbortSignal): AskingTime {
  const never = new Deadline(Number.POSITIVE_INFINITY, stop);
  return { reading: never, confirming: never, stop };
}

/**
 * The time of another server than the Analyser's own: until the Analyser's own was asked for everything, and for at least
 * `patienceMs` from `began` on. `ownEnd` tells when that was, by `performance.now()`, also if it failed.
 */
export function timeElsewhere(
  all: AskingTime,
  ownEnd: Promise<number>,
  { patienceMs, began }: { patienceMs: number; began: number },
): AskingTime {
  const time = sooner(all, all.stop);
  void ownEnd.then((end) => {
    const leftMs = Math.max(end, began + patienceMs) - performance.now();
    time.reading.endWithin(leftMs + limits.sendingMs);
    time.confirming.endWithin(leftMs + limits.againMs);
  });
  return time;
}
