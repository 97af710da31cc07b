import { onAbort } from './link-signals.js';

/**
 * How many requests are in flight at once: a few to start with, more while no answer waits for
 * long, fewer again when they only wait for each other or for this process, half as many when a
 * server chokes.
 * Hundreds at once make the Community Solid Server fail with "Lock expired". Waiting requests are
 * served in order of arrival.
 */
export interface ConcurrencyLimit {
  run<T>(task: () => Promise<T>, on: { server: string; signal: AbortSignal }): Promise<T>;
  /** Requests allowed at once right now. */
  readonly size: number;
  /** From now on at most so many; 0 starts none. */
  bound(max: number): void;
  /** Somebody else who asks the same server saw it choke. */
  stepBack(): void;
}

export interface ConcurrencyOptions {
  start: number;
  max: number;
  /** Whether a failed task speaks of a server that chokes. */
  isOverload: (error: unknown) => boolean;
  onOverload?: (() => void) | undefined;
  /** Whether this process had hardly any time left since it was asked last. */
  isBusy?: () => boolean;
  now?: () => number;
}

/** An answer slower than this says nothing about room for more. */
const QUICK_MS = 1_000;
/**
 * So much longer than the quickest of its server, and an answer has waited for too many others;
 * so would everybody else who asks that server. Up to there it gets on faster with more to do.
 */
const QUEUED_MS = 500;

export function createConcurrencyLimit(options: ConcurrencyOptions): ConcurrencyLimit {
  const { now = () => performance.now(), isBusy = () => false } = options;
  // Not a Set, for the reason given in link-signals.ts.
  const waiting: (() => void)[] = [];
  let max = options.max;
  /** What the answers speak for; `max` holds all the same. */
  let wanted = options.start;
  let inFlight = 0;
  let quickInARow = 0;
  let slowInARow = 0;
  const quickestMs = new Map<string, number>();
  /** No step back yet. */
  let isRamping = true;
  let lastShrink = Number.NEGATIVE_INFINITY;

  const size = (): number => Math.min(wanted, max);

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (inFlight < size() && waiting.length === 0) {
      inFlight += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        unfollow();
        inFlight += 1;
        resolve();
      };
      const leave = (): void => {
        const position = waiting.indexOf(admit);
        if (position !== -1) waiting.splice(position, 1);
        const reason: unknown = signal.reason;
        reject(reason);
      };
      waiting.push(admit);
      const unfollow = onAbort(signal, leave);
    });
  }

  function admitWaiting(): void {
    while (inFlight < size()) {
      const admit = waiting.shift();
      if (admit === undefined) return;
      admit();
    }
  }

  function learnFrom(tookMs: number, server: string): void {
    const quickest = Math.min(quickestMs.get(server) ?? tookMs, tookMs);
    quickestMs.set(server, quickest);
    if (waiting.length === 0) return;
    const most = size() < options.start ? QUICK_MS : Math.min(QUICK_MS, quickest + QUEUED_MS);
    if (tookMs <= most) grow();
    else shrink();
  }

  function grow(): void {
    slowInARow = 0;
    quickInARow += 1;
    if (quickInARow < size()) return;
    quickInARow = 0;
    // More answers at once would wait here, and whoever calls this process behind them.
    if (wanted >= options.start && isBusy()) stepDown();
    else if (wanted < max) wanted += isRamping ? Math.min(wanted, max - wanted) : 1;
  }

  function shrink(): void {
    quickInARow = 0;
    slowInARow += 1;
    if (slowInARow < size()) return;
    slowInARow = 0;
    stepDown();
  }

  function stepDown(): void {
    isRamping = false;
    if (wanted > options.start) wanted -= 1;
  }

  function shrinkAfter(startedAt: number): void {
    quickInARow = 0;
    // What was sent before the last step back does not count again.
    if (startedAt < lastShrink) return;
    halve();
    options.onOverload?.();
  }

  function halve(): void {
    lastShrink = now();
    isRamping = false;
    wanted = Math.max(1, Math.floor(size() / 2));
  }

  return {
    get size() {
      return size();
    },
    bound(most) {
      max = most;
      admitWaiting();
    },
    stepBack() {
      quickInARow = 0;
      halve();
    },
    async run(task, { server, signal }) {
      await enter(signal);
      const startedAt = now();
      try {
        const value = await task();
        learnFrom(now() - startedAt, server);
        return value;
      } catch (error) {
        if (options.isOverload(error)) shrinkAfter(startedAt);
        throw error;
      } finally {
        inFlight -= 1;
        admitWaiting();
      }
    },
  };
}
