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

  /** Ends it after so many milliseconds, if it has not ended before. */
  endIn(milliseconds: number): void {
    if (milliseconds === Number.POSITIVE_INFINITY) return;
    this.#until = Math.min(this.#until, performance.now() + milliseconds);
    const end = () => this.#over.abort(new TimeUpError());
    if (milliseconds > 0) setTimeout(end, milliseconds).unref();
    else end();
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

/** After the time for reading, another server than the Analyser's has this time to be asked again. */
const CONFIRMING_MS = 3_000;

/**
 * The time of another server than the Analyser's own: as long as the Analyser's own takes to be asked for everything
 * (`own`), and at least its `patienceMs`.
 */
export function timeElsewhere(
  { reading, confirming }: AskingTime,
  own: Promise<void>,
  patienceMs: number,
): AskingTime {
  const time = { reading: reading.sooner(), confirming: confirming.sooner() };
  const began = performance.now();
  const begin = () => time.reading.endIn(patienceMs - (performance.now() - began));
  // A failure there ends all reading; here it only ends the wait.
  own.then(begin, begin);
  const confirm = () => time.confirming.endIn(CONFIRMING_MS);
  time.reading.signal.addEventListener('abort', confirm, { once: true });
  return time;
}
