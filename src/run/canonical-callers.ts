import { canonicalWebId } from '../pod/addresses.js';

/** The WebIDs that called, canonical; null for run-once, which serves every contributor. */
export type Callers = readonly string[] | null;

/** Whether a result is made for the WebID. */
export function isServed(callers: Callers, webId: string): boolean {
  return callers === null || callers.includes(webId);
}

/** Whether the WebID itself called and waits for the outcome. */
export function isCaller(callers: Callers, webId: string): boolean {
  return callers !== null && callers.includes(webId);
}

/** Those that called, in whatever spelling; a null among them is run-once. */
export function canonicalCallers(webIds: readonly (string | null)[]): Callers {
  if (webIds.includes(null)) return null;
  return [...new Set(webIds.flatMap((webId) => canonicalWebId(webId ?? '') ?? []))];
}
