/** Whose results are published: WebIDs, or null for every contributor's. */
export type Recipients = readonly string[] | null;

export function isRecipient(recipients: Recipients, webId: string): boolean {
  return recipients === null || recipients.includes(webId);
}

/** Somebody who called, and waits for the outcome. */
export function isCaller(recipients: Recipients, webId: string): boolean {
  return recipients !== null && recipients.includes(webId);
}
