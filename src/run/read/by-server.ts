import { mapConcurrently } from '../../base/map-concurrently.js';
import { type CircuitBreaker, OthersTimeUpError } from './circuit-breaker.js';

/** How many other servers are asked at the same time. */
const OTHERS_AT_ONCE = 8;
/** The most items asked of one other server at once. */
const MOST_AT_ANOTHER = 16;

export interface ByServerOptions<Item> {
  urlOf: (item: Item) => string;
  breaker: CircuitBreaker;
  /** When the time for other servers ends, in milliseconds since 1970. */
  othersUntil: number;
  /** The most items asked of the Analyser's own server at once. */
  atOnce: number;
  signal: AbortSignal;
}

/**
 * Works on the items of all servers side by side, so that no server waits for a slow one. When the
 * time for other servers ends, their signal aborts with an OthersTimeUpError.
 */
export async function byServer<Item>(
  items: Iterable<Item>,
  { urlOf, breaker, othersUntil, atOnce, signal }: ByServerOptions<Item>,
  work: (items: readonly Item[], atOnce: number, signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  // The first of them begins first, however many others there are.
  const byOrigin = new Map<string, Item[]>([[breaker.home, []]]);
  for (const item of items) {
    const { origin } = new URL(urlOf(item));
    const there = byOrigin.get(origin);
    if (there === undefined) byOrigin.set(origin, [item]);
    else there.push(item);
  }
  const timeUp = new AbortController();
  const timer = setTimeout(
    () => timeUp.abort(new OthersTimeUpError()),
    Math.max(0, othersUntil - Date.now()),
  );
  const othersSignal = AbortSignal.any([signal, timeUp.signal]);
  try {
    await mapConcurrently(byOrigin, 1 + OTHERS_AT_ONCE, ([origin, there]) =>
      origin === breaker.home
        ? work(there, atOnce, signal)
        : work(there, Math.min(atOnce, MOST_AT_ANOTHER), othersSignal),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Throws when the analysis was stopped, but not when only the time for other servers has ended. */
export function throwIfStopped(signal: AbortSignal): void {
  if (!(signal.reason instanceof OthersTimeUpError)) signal.throwIfAborted();
}
