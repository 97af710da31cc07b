import { AnalyserError } from '../../base/errors.js';

/** Reading ends after this fraction of the time, because the later steps need the rest. */
const READING_FRACTION = 9 / 10;
/**
 * Refused files are asked for again until this fraction of the time is over. Otherwise a Pod that revoked a file would
 * count with its earlier figures.
 */
const CONFIRMING_FRACTION = 19 / 20;
/** Every other server has at least this long, however quick the Analyser's own is. */
const PATIENCE_MS = 10_000;
/** After that, other servers have this time to be asked again for files that they refused. */
const CONFIRMING_MS = 3_000;

/** The latest moment at which something is asked for. */
export interface Deadline {
  /** By `performance.now()`, because people can set the clock of the machine. */
  until: number;
  /** Aborts with a TimeUpError then, or sooner. */
  signal: AbortSignal;
}

/** How long servers are asked. */
export interface ReadingTime {
  reading: Deadline;
  /** For files that were refused, which are asked for a second time. */
  confirming: Deadline;
}

/** The same moment, unless the signal aborts before. */
export function endingWith({ until, signal }: Deadline, sooner: AbortSignal): Deadline {
  return { until, signal: AbortSignal.any([signal, sooner]) };
}

/** Aborts requests whose time is over; the analysis goes on. */
export class TimeUpError extends AnalyserError {
  constructor() {
    super('timeout', 'The time that an analysis has for reading was over.');
  }
}

/** Whether the time is over; throws when the analysis was stopped. */
export function isTimeUp(signal: AbortSignal): boolean {
  if (!(signal.reason instanceof TimeUpError)) signal.throwIfAborted();
  return signal.aborted;
}

class Countdown {
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  start(milliseconds: number): void {
    const end = () => this.#end.abort(new TimeUpError());
    if (milliseconds > 0) this.#timer = setTimeout(end, milliseconds);
    else end();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

/** Does work that is aborted with a TimeUpError at `until`, by `performance.now()`. */
export async function withinTime<T>(
  until: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (until === Number.POSITIVE_INFINITY) return await work(signal);
  const countdown = new Countdown();
  countdown.start(until - performance.now());
  try {
    return await work(AbortSignal.any([signal, countdown.signal]));
  } finally {
    countdown.clear();
  }
}

/** Does work within the fraction that reading has of an analysis's time, which ends at `until`, by `performance.now()`. */
export async function withReadingTime<T>(
  until: number,
  work: (time: ReadingTime) => Promise<T>,
): Promise<T> {
  const [reading, confirming] = [new Countdown(), new Countdown()];
  const now = performance.now();
  const left = until - now;
  reading.start(READING_FRACTION * left);
  confirming.start(CONFIRMING_FRACTION * left);
  try {
    return await work({
      reading: { until: now + READING_FRACTION * left, signal: reading.signal },
      confirming: { until: now + CONFIRMING_FRACTION * left, signal: confirming.signal },
    });
  } finally {
    reading.clear();
    confirming.clear();
  }
}

/**
 * Does work on other servers than the Analyser's own. They are waited for as long as the Analyser's own takes to be
 * asked for everything (`own`), and at least ten seconds.
 */
export async function withPatience(
  own: Promise<void>,
  time: ReadingTime,
  work: (time: ReadingTime) => Promise<unknown>,
): Promise<void> {
  const [reading, confirming] = [new Countdown(), new Countdown()];
  const began = performance.now();
  reading.signal.addEventListener('abort', () => confirming.start(CONFIRMING_MS), { once: true });
  const begin = () => reading.start(PATIENCE_MS - (performance.now() - began));
  // A failure there ends all reading; here it only ends the wait.
  own.then(begin, begin);
  try {
    await work({
      reading: endingWith(time.reading, reading.signal),
      confirming: endingWith(time.confirming, confirming.signal),
    });
  } finally {
    await own.catch(() => undefined);
    reading.clear();
    confirming.clear();
  }
}
