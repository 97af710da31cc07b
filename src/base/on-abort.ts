/**
 * Hundreds of requests can follow one signal, so each signal gets one listener and a list of the
 * functions to call.
 *
 * The list is an array and not a Set: a Set that grows leaves old tables behind, which point to the
 * new one. Once an old table is in V8's old generation, a young collection cannot free the next
 * table and everything that it refers to. This costs a kilobyte for every request until the next
 * full collection.
 */
const reactions = new WeakMap<AbortSignal, (() => void)[]>();

/** Calls `react` when the signal aborts, or at once if it has aborted already. Returns a function that cancels this. */
export function onAbort(signal: AbortSignal, react: () => void): () => void {
  if (signal.aborted) {
    react();
    return () => undefined;
  }
  const waiting = reactions.get(signal) ?? startListening(signal);
  waiting.push(react);
  return () => {
    const position = waiting.indexOf(react);
    if (position === -1) return;
    const last = waiting.pop();
    if (last !== undefined && position < waiting.length) waiting[position] = last;
  };
}

function startListening(signal: AbortSignal): (() => void)[] {
  const waiting: (() => void)[] = [];
  reactions.set(signal, waiting);
  const tellAll = (): void => {
    // Shifted one by one, so that a reaction that is cancelled meanwhile is not called.
    for (let react = waiting.shift(); react; react = waiting.shift()) react();
  };
  signal.addEventListener('abort', tellAll, { once: true });
  return waiting;
}

/** Stops waiting when the signal aborts; what is waited for goes on for the others. */
export function waitFor<T>(shared: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => {
      const reason: unknown = signal.reason;
      reject(reason);
    });
    shared.then(resolve, reject).finally(forget);
  });
}
