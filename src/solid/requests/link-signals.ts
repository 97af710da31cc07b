/**
 * Signals that hundreds of requests follow at once: each has one listener, whatever follows
 * waits in a list, and two signals that belong together are linked once for all requests.
 *
 * Not in a Set: after some additions it moves to a new table, and the old one points to that. Once
 * one of them has become old, each keeps the next, with all that hangs on it, from being collected
 * young: a kilobyte for every request until the next full collection.
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

/** Reacts to an abort that has been or will be; the answer takes that back. */
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
    // One that is taken back meanwhile is not told.
    for (let react = waiting.shift(); react; react = waiting.shift()) react();
  };
  signal.addEventListener('abort', tellAll, { once: true });
  return waiting;
}

/** Aborts with either of the two. */
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
