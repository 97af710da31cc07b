import { canonicalWebId } from '../pod/addresses.js';

/** The WebIDs whose results are published, canonical; null for every contributor. */
export type Recipients = readonly string[] | null;

export function isRecipient(recipients: Recipients, webId: string): boolean {
  return recipients === null || recipients.includes(webId);
}

/** Whether the WebID itself called and waits for the outcome. */
export function isCaller(recipients: Recipients, webId: string): boolean {
  return recipients !== null && recipients.includes(webId);
}

/** Those that called, in whatever spelling; a null among them is run-once. */
export function recipientsOf(webIds: readonly (string | null)[]): Recipients {
  if (webIds.includes(null)) return null;
  return [...new Set(webIds.flatMap((webId) => canonicalWebId(webId ?? '') ?? []))];
}
