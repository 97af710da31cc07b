/** The network address that a call comes from. With the order of arrival it decides who comes first or gives way. */
interface Origin {
  peer: string;
}

/**
 * Takes at most `atMost` waiting calls, and returns them in order of arrival. The first call of each network address
 * is taken before the second call of any address. So one address does not fill a turn while others wait.
 */
export function takeInRotation<Call extends Origin>(
  waiting: readonly Call[],
  atMost: number,
): Call[] {
  const seen = new Map<string, number>();
  const ranked = waiting.map((call) => {
    const rank = seen.get(call.peer) ?? 0;
    seen.set(call.peer, rank + 1);
    return { call, rank };
  });
  const first = ranked.sort((one, other) => one.rank - other.rank).slice(0, atMost);
  const taken = new Set(first.map(({ call }) => call));
  return waiting.filter((call) => taken.has(call));
}

/**
 * Returns the call that gives way when there is one too many: the newest waiting call of the busiest network address.
 * `inHand` are all calls, running and waiting. Both lists are in order of arrival.
 */
export function whoGivesWay<Call extends Origin>(
  inHand: readonly Call[],
  waiting: readonly Call[],
): Call | undefined {
  const countOf = ({ peer }: Call) => inHand.filter((call) => call.peer === peer).length;
  const counted = waiting.map((call) => ({ call, count: countOf(call) }));
  const most = Math.max(...counted.map(({ count }) => count));
  return counted.findLast(({ count }) => count === most)?.call;
}
