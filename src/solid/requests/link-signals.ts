/**
 * Signals that hundreds of requests follow at once: each signal has one listener and a list of what
 * to call, and two signals that belong together are linked once for all requests.
 *
 * The list is no Set: a Set that grows leaves old tables behind that point to the new one. Once such
 * a table is in V8's old generation, it keeps the next from a young collection, with all that hangs
 * on it: a kilobyte for every request until the next full collection.
 */
export interface LinkedSignal {
  signal: AbortSignal;
  release(): void;
}

interface Link {
  controller: AbortController;
  users: number;
  unfollow: (() => void)[];
}

const nothing = (): void => undefined;
const reactions = new WeakMap<AbortSignal, (() => void)[]>();
const links = new WeakMap<AbortSignal, Map<AbortSignal, Link>>();

/** Calls `react` on an abort, past or future; returns a function that cancels this. */
export function onAbort(signal: AbortSignal, react: () => void): () => void {
  if (signal.aborted) {
    react();
    return nothing;
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
    // Shifted one by one, so that one that is cancelled meanwhile is not called.
    for (let react = waiting.shift(); react; react = waiting.shift()) react();
  };
  signal.addEventListener('abort', tellAll, { once: true });
  return waiting;
}

/** A signal that aborts with either of the two. */
export function linkSignals([own, common]: [AbortSignal | undefined, AbortSignal]): LinkedSignal {
  if (own === undefined || own === common) return { signal: common, release: nothing };
  const ofCommon = links.get(common) ?? new Map<AbortSignal, Link>();
  links.set(common, ofCommon);
  const link = ofCommon.get(own) ?? startLink(own, common);
  ofCommon.set(own, link);
  link.users += 1;
  return {
    signal: link.controller.signal,
    release() {
      link.users -= 1;
      if (link.users > 0) return;
      ofCommon.delete(own);
      for (const unfollow of link.unfollow) unfollow();
    },
  };
}

function startLink(...sources: AbortSignal[]): Link {
  const controller = new AbortController();
  const unfollow = sources.map((source) => onAbort(source, () => controller.abort(source.reason)));
  return { controller, users: 0, unfollow };
}
