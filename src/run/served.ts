/** For whom an analysis makes results: everybody who shares (run-once), or the WebIDs that called, canonical. */
export type Served = 'everybody' | readonly string[];

export function serves(served: Served, webId: string): boolean {
  return served === 'everybody' || served.includes(webId);
}

/** Nobody calls run-once. */
export function isCaller(served: Served, webId: string): boolean {
  return served !== 'everybody' && served.includes(webId);
}

/** The call of run-once has no WebID. */
export function servedBy(calls: readonly { webId: string | null }[]): Served {
  const webIds = new Set<string>();
  for (const { webId } of calls) {
    if (webId === null) return 'everybody';
    webIds.add(webId);
  }
  return [...webIds];
}
