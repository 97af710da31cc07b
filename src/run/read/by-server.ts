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
  const own: Item[] = [];
  const others = new Map<string, Item[]>();
  for (const item of items) {
    const url = urlOf(item);
    if (breaker.isAtHome(url)) {
      own.push(item);
      continue;
    }
    const { origin } = new URL(url);
    const there = others.get(origin);
    if (there === undefined) others.set(origin, [item]);
    else there.push(item);
  }
  const timeUp = new AbortController();
  const timer = setTimeout(
    () => timeUp.abort(new OthersTimeUpError()),
    Math.max(0, othersUntil - Date.now()),
  );
  const othersSignal = AbortSignal.any([signal, timeUp.signal]);
  const servers = [
    { there: own, most: atOnce, until: signal },
    ...[...others.values()].map((there) => ({
      there,
      most: Math.min(atOnce, MOST_AT_ANOTHER),
      until: othersSignal,
    })),
  ];
  try {
    await mapConcurrently(servers, 1 + OTHERS_AT_ONCE, ({ there, most, until }) =>
      work(there, most, until),
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Throws when the analysis was stopped, but not when only the time for other servers has ended. */
export function throwIfStopped(signal: AbortSignal): void {
  if (!(signal.reason instanceof OthersTimeUpError)) signal.throwIfAborted();
}
