import { AnalyserError } from '../../base/errors.js';

/** Aborts requests whose time is over; the analysis goes on. */
export class TimeUpError extends AnalyserError {
  constructor() {
    super('timeout', 'The time that an analysis has for reading was over.');
  }
}

/** The latest moment at which something is asked for. A Cancel of the analysis ends it sooner. */
export class Deadline {
  /** Aborts with a TimeUpError when the time is over, or with the reason of a Cancel. */
  readonly signal: AbortSignal;
  readonly #over = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  #until = Number.POSITIVE_INFINITY;

  /** `until` is by `performance.now()`, because people can set the clock of the machine. */
  constructor(until: number, stop: AbortSignal) {
    this.signal = AbortSignal.any([stop, this.#over.signal]);
    this.endIn(until - performance.now());
  }

  get until(): number {
    return this.#until;
  }

  /** Whether the time is over. Throws if the analysis was cancelled before it was. */
  isOverOrThrow(): boolean {
    if (!(this.signal.reason instanceof TimeUpError)) this.signal.throwIfAborted();
    return this.signal.aborted;
  }

  /** Ends it after so many milliseconds, if it does not end before. */
  endIn(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    if (until >= this.#until) return;
    this.#until = until;
    this.clear();
    const end = () => this.#over.abort(new TimeUpError());
    if (milliseconds > 0) this.#timer = setTimeout(end, milliseconds);
    else end();
  }

  /** Once nobody asks any more, no timer is left. */
  clear(): void {
    clearTimeout(this.#timer);
  }

  /** One that ends with this one, or sooner. */
  sooner(stop: AbortSignal = this.signal): Deadline {
    return new Deadline(this.until, AbortSignal.any([this.signal, stop]));
  }
}

/** How long servers are asked. */
export interface AskingTime {
  reading: Deadline;
  /** For what is asked for a second time. */
  confirming: Deadline;
}

export function clear({ reading, confirming }: AskingTime): void {
  reading.clear();
  confirming.clear();
}

/** Reading ends after this fraction of the time of an analysis, because the later steps need the rest. */
const READING_FRACTION = 9 / 10;
/**
 * Refused files are asked for again until this fraction of the time is over. Otherwise a Pod that revoked a file would
 * count with its earlier figures.
 */
const CONFIRMING_FRACTION = 19 / 20;

/** Of an analysis that ends at `until`, by `performance.now()`. */
export function askingTime(until: number, stop: AbortSignal): AskingTime {
  const now = performance.now();
  const fraction = (part: number) => new Deadline(now + part * (until - now), stop);
  return { reading: fraction(READING_FRACTION), confirming: fraction(CONFIRMING_FRACTION) };
}

export function endless(stop: AbortSignal): AskingTime {
  const never = new Deadline(Number.POSITIVE_INFINITY, stop);
  return { reading: never, confirming: never };
}

/** So much longer than its patience is another server read, so that what was sent in this time can be waited for. */
const SENDING_MS = 1_000;
/** After its patience, another server has this time to be asked again. */
const CONFIRMING_MS = 3_000;

/**
 * The time of another server than the Analyser's own: until the Analyser's own was asked for everything, and for at least
 * `patienceMs` from `began` on. `ownEnd` tells when that was, by `performance.now()`, also if it failed.
 */
export function timeElsewhere(
  { reading, confirming }: AskingTime,
  ownEnd: Promise<number>,
  { patienceMs, began }: { patienceMs: number; began: number },
): AskingTime {
  const time = { reading: reading.sooner(), confirming: confirming.sooner() };
  void ownEnd.then((end) => {
    const leftMs = Math.max(end, began + patienceMs) - performance.now();
    time.reading.endIn(leftMs + SENDING_MS);
    time.confirming.endIn(leftMs + CONFIRMING_MS);
  });
  return time;
}
