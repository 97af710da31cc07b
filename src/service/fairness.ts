/** The origin of a call. Together with the order of arrival, it decides which call comes first or gives way. */
interface Origin {
  /** The network address. */
  peer: string;
  webId: string | null;
}

/**
 * Takes at most `atMost` waiting calls, and returns them in order of arrival. The first call of each network address
 * is taken before the second call of any address. So one address does not fill a turn while others wait.
 */
export function takeInRotation<Call extends { call: Origin }>(
  waiting: readonly Call[],
  atMost: number,
): Call[] {
  const seen = new Map<string, number>();
  const ranked = waiting.map((queued) => {
    const rank = seen.get(queued.call.peer) ?? 0;
    seen.set(queued.call.peer, rank + 1);
    return { queued, rank };
  });
  const first = ranked.sort((one, other) => one.rank - other.rank).slice(0, atMost);
  const taken = new Set(first.map(({ queued }) => queued));
  return waiting.filter((queued) => taken.has(queued));
}

/**
 * Returns the call that gives way when there is one too many: the latest call of the busiest WebID, at the busiest
 * network address. `calls` are all calls in hand, `waiting` the calls that can still give way. Both are in order of
 * arrival, the newest last.
 */
export function whoGivesWay<Call extends Origin>(
  calls: readonly Call[],
  waiting: readonly Call[],
): Call | undefined {
  const ofPeer = countBy(calls, ({ peer }) => peer);
  const crowded = mostIn(ofPeer, waiting, ({ peer }) => peer);
  const ofCaller = countBy(calls, nameOf);
  return mostIn(ofCaller, crowded, nameOf).at(-1);
}

/** Anybody can name a WebID, so only calls from one address count as one caller's. */
function nameOf({ peer, webId }: Origin): string {
  return `${peer} ${webId}`;
}

function countBy<Call>(calls: readonly Call[], keyOf: (call: Call) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(keyOf(call), (counts.get(keyOf(call)) ?? 0) + 1);
  return counts;
}

/** The calls whose key has the highest count. */
function mostIn<Call>(
  counts: ReadonlyMap<string, number>,
  calls: readonly Call[],
  keyOf: (call: Call) => string,
): Call[] {
  const countOf = (call: Call) => counts.get(keyOf(call)) ?? 0;
  const most = calls.reduce((highest, call) => Math.max(highest, countOf(call)), 0);
  return calls.filter((call) => countOf(call) === most);
}
